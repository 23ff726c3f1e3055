// Command ddblocal runs DynamoDB Local in the foreground until it is interrupted or its standard
// input ends. It prints the settings for clients on standard output, as lines for a shell.
//
// With -probe it starts and ends the server, and prints one line for the log of the tests: the
// engine that the tests will use, or what is missing.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/trestledb/trestle/internal/ddblocal"
)

func main() {
	probing := flag.Bool("probe", false, "only say which engine tests on this machine meet, or what is missing")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	var err error
	if *probing {
		err = probe(ctx, os.Stdout)
	} else {
		err = run(ctx, os.Stdin, os.Stdout, os.Stderr)
	}
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "ddblocal:", err)
		os.Exit(1)
	}
}

// run starts the server and keeps it running until ctx or the input ends.
func run(ctx context.Context, in io.Reader, out, notes io.Writer) error {
	server, err := ddblocal.Start(ctx)
	if err != nil {
		return err
	}
	if server.Source == ddblocal.Given {
		fmt.Fprintf(notes, "DynamoDB Local runs already: %s is set, and nothing was started.\n", server.Source)
		announce(out, server)
		return server.Close()
	}
	fmt.Fprintf(notes, "DynamoDB Local %s (%s), in memory, every access key with a database of its own.\n", server.Version, server.Source)
	fmt.Fprintln(notes, "It listens on ALL network interfaces, and answers whoever asks. End it with Ctrl-C. It ends with its standard input, too:")
	fmt.Fprintln(notes, "where that is /dev/null, as in many a background job, it ends at once. Copy these lines to another shell:")
	announce(out, server)
	awaitEnd(ctx, in)
	return server.Close()
}

// variables are the settings of the clients. The first variable belongs to this repository, the
// others to the AWS SDKs and the AWS CLI. Any access key of letters and digits works, and each has
// tables of its own. This one is the access key of the example programs.
const variables = `export DYNAMODB_ENDPOINT=%[1]s
export AWS_ENDPOINT_URL_DYNAMODB=%[1]s
export AWS_REGION=eu-north-1
export AWS_ACCESS_KEY_ID=example
export AWS_SECRET_ACCESS_KEY=none
`

func announce(out io.Writer, server *ddblocal.Server) {
	fmt.Fprintf(out, variables, server.Endpoint)
}

// awaitEnd returns when ctx or the input ends. If the input does not end, the goroutine that reads
// it lives until the program ends.
func awaitEnd(ctx context.Context, in io.Reader) {
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_, _ = io.Copy(io.Discard, in)
	}()
	select {
	case <-ended:
	case <-ctx.Done():
	}
}
