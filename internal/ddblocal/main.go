// Command ddblocal runs DynamoDB Local in memory until its standard input ends. Package engines and
// `make ddblocal` start it.
//
// It takes the first of these that is available:
//
//  1. the server at DYNAMODB_ENDPOINT, which already runs;
//  2. Java 17 or newer: Maven downloads the jars once from Maven Central into the user's cache
//     folder;
//  3. Docker: the public image, through the command internal/dockerlocal.
//
// It prints the settings for clients on standard output, as lines for a shell. With -probe it only
// prints which server it took or what is missing, and ends.
//
// If no server is available, ddblocal prints on standard error what to install, and succeeds. With
// TRESTLE_REQUIRE_DYNAMODB=1 it fails instead. A server that is available but does not work is
// always an error.
//
// DynamoDB Local listens on all network interfaces. A server that ddblocal starts ends with it.
// ddblocal ends if the process that started it is killed, because that ends its standard input.
//
// It is a separate module, because only the tests of this repository use it. Run it in this folder.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
)

// Environment variables that ddblocal reads.
const (
	endpointVariable = "DYNAMODB_ENDPOINT"
	requireVariable  = "TRESTLE_REQUIRE_DYNAMODB"
)

func main() {
	probe := flag.Bool("probe", false, "only print which server tests on this machine use, or what is missing")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, *probe)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "ddblocal:", err)
		os.Exit(1)
	}
}

// errInputEnded is the error if the input ends before the server runs.
var errInputEnded = errors.New("the standard input has ended, and with it DynamoDB Local before it had started: " +
	"keep the input open, such as with: sleep infinity | make ddblocal")

// run starts the server, keeps it running until the input ends, and ends it.
func run(ctx context.Context, probe bool) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	if !probe && os.Getenv(endpointVariable) == "" { // else nothing is started
		go func() {
			_, _ = io.Copy(io.Discard, os.Stdin)
			cancel(errInputEnded)
		}()
	}
	s, err := start(ctx)
	if err != nil && errors.Is(context.Cause(ctx), errInputEnded) {
		return errInputEnded // the server was not missing
	}
	var missing missingError
	if errors.As(err, &missing) && os.Getenv(requireVariable) != "1" {
		if probe {
			fmt.Fprintln(os.Stdout, "tests on DynamoDB Local are skipped:", err)
		} else {
			fmt.Fprintln(os.Stderr, err)
		}
		return nil
	}
	if err != nil {
		return err
	}
	defer s.wait()
	defer cancel(nil)
	if probe {
		fmt.Fprintln(os.Stdout, "tests run on", s.name)
		return nil
	}
	announce(s)
	if s.ended != nil {
		<-ctx.Done()
	}
	return nil
}

// settings are lines for a shell. Package engines reads the first two. DYNAMODB_ENDPOINT belongs to
// this repository, the other variables to the AWS SDKs and the AWS CLI. Any access key of letters
// and digits works, and each has tables of its own. This one is that of the example programs.
const settings = `# %[2]s
export DYNAMODB_ENDPOINT=%[1]s
export AWS_ENDPOINT_URL_DYNAMODB=%[1]s
export AWS_REGION=eu-north-1
export AWS_ACCESS_KEY_ID=example
export AWS_SECRET_ACCESS_KEY=none
`

// announce prints the settings. The notes for a person go to standard error.
func announce(s *server) {
	if s.ended == nil {
		fmt.Fprintf(os.Stderr, "%s is set, so nothing was started.\n", endpointVariable)
	} else {
		fmt.Fprintln(os.Stderr, strings.TrimSpace(`
It listens on ALL network interfaces and checks no credentials. Each access key has a database of
its own, in memory. Press Ctrl-C to end it. It also ends with its standard input: at once if that is
/dev/null, as in many background jobs. Copy these lines to another shell:`))
	}
	fmt.Fprintf(os.Stdout, settings, s.endpoint, s.name)
}
