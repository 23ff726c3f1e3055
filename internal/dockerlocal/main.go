// Command dockerlocal runs DynamoDB Local in memory in a container. It ends when its standard input
// ends or when it is interrupted.
//
// It prints two lines when the server responds:
//
//	Version: 3.3.1
//	Endpoint: http://localhost:49153
//
// It is a separate module, so that its Docker dependencies do not appear in the go.sum of the
// library. The TESTCONTAINERS_… and DOCKER_… variables work as testcontainers-go documents them.
package main

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/testcontainers/testcontainers-go"
	"github.com/testcontainers/testcontainers-go/modules/dynamodb"
	"github.com/testcontainers/testcontainers-go/wait"
)

const (
	defaultImage  = "amazon/dynamodb-local:3.3.1"
	startPatience = 3 * time.Minute // includes a pull of the image
	endPatience   = 20 * time.Second
)

func main() {
	image := flag.String("image", defaultImage, "`image` of DynamoDB Local")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	// A killed parent closes our outputs together with our input. A write to them must not end this
	// process before it terminates the container.
	signal.Ignore(syscall.SIGPIPE)
	err := run(ctx, *image, os.Stdin, os.Stdout)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "dockerlocal:", err)
		os.Exit(1)
	}
}

// run keeps a container running until ctx or the input ends. It leaves no container behind, even if
// that happens during the start.
func run(ctx context.Context, image string, in io.Reader, out io.Writer) (err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() {
		defer cancel()
		_, _ = io.Copy(io.Discard, in)
	}()

	container, err := start(ctx, image)
	if container != nil {
		defer func() { err = errors.Join(err, end(container)) }()
	}
	if err != nil {
		return err
	}
	if err := announce(ctx, container, out); err != nil {
		return err
	}
	<-ctx.Done()
	return nil
}

// start may return a container together with an error. The caller must then terminate the
// container.
func start(ctx context.Context, image string) (*dynamodb.DynamoDBContainer, error) {
	ctx, cancel := context.WithTimeout(ctx, startPatience)
	defer cancel()
	return dynamodb.Run(ctx, image,
		dynamodb.WithDisableTelemetry(),
		testcontainers.WithCmdArgs("-inMemory"),
		// Docker's proxy opens the port before the server does, so only an HTTP response shows that
		// the server runs. The response to a bare GET is an error.
		testcontainers.WithWaitStrategy(wait.ForHTTP("/").WithPort("8000/tcp").WithStatusCodeMatcher(anyStatus)),
	)
}

func anyStatus(int) bool { return true }

func end(container *dynamodb.DynamoDBContainer) error {
	ctx, cancel := context.WithTimeout(context.Background(), endPatience)
	defer cancel()
	return container.Terminate(ctx, testcontainers.StopTimeout(0)) // no data to save
}

// announce prints the version and then the endpoint. A reader that waits for the endpoint has both.
func announce(ctx context.Context, container *dynamodb.DynamoDBContainer, out io.Writer) error {
	endpoint, err := container.PortEndpoint(ctx, "8000/tcp", "http")
	if err != nil {
		return err
	}
	version, err := readVersion(ctx, container)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "Version: %s\nEndpoint: %s\n", version, endpoint)
	return err
}

// readVersion returns the version in the server's log, or "" if the log has none.
func readVersion(ctx context.Context, container *dynamodb.DynamoDBContainer) (string, error) {
	logs, err := container.Logs(ctx)
	if err != nil {
		return "", err
	}
	defer func() { _ = logs.Close() }()
	scanner := bufio.NewScanner(logs)
	for scanner.Scan() {
		if version, ok := strings.CutPrefix(scanner.Text(), "Version:"); ok {
			return strings.TrimSpace(version), nil
		}
	}
	return "", scanner.Err()
}
