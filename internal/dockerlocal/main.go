// Command dockerlocal runs DynamoDB Local in a container, in memory, until its standard input ends or it is interrupted.
//
// It prints two lines once the server answers:
//
//	Version: 3.3.1
//	Endpoint: http://localhost:49153
//
// It is a module of its own, so that the library's go.sum does not carry what speaks to Docker. The TESTCONTAINERS_… and DOCKER_…
// variables apply as testcontainers-go documents them.
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
	startPatience = 3 * time.Minute // the image may have to be pulled
	endPatience   = 20 * time.Second
)

func main() {
	image := flag.String("image", defaultImage, "`image` of DynamoDB Local")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	// An owner that is killed closes our outputs with our input. To write to them must not end us before the container is ended.
	signal.Ignore(syscall.SIGPIPE)
	err := run(ctx, *image, os.Stdin, os.Stdout)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "dockerlocal:", err)
		os.Exit(1)
	}
}

// run keeps a container until ctx or the input ends. No container is left behind, even when that happens while it starts.
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

// start returns the container also with an error, where there is one to be ended.
func start(ctx context.Context, image string) (*dynamodb.DynamoDBContainer, error) {
	ctx, cancel := context.WithTimeout(ctx, startPatience)
	defer cancel()
	return dynamodb.Run(ctx, image,
		dynamodb.WithDisableTelemetry(),
		testcontainers.WithCmdArgs("-inMemory"),
		// Docker's proxy opens the port before the server does, so only an answer counts: to a bare GET that is an error.
		testcontainers.WithWaitStrategy(wait.ForHTTP("/").WithPort("8000/tcp").WithStatusCodeMatcher(anyStatus)),
	)
}

func anyStatus(int) bool { return true }

func end(container *dynamodb.DynamoDBContainer) error {
	ctx, cancel := context.WithTimeout(context.Background(), endPatience)
	defer cancel()
	return container.Terminate(ctx, testcontainers.StopTimeout(0)) // nothing in it is worth a graceful end
}

// announce prints the endpoint, last: whoever waits for it can then read the rest.
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

// readVersion finds what the server wrote about itself when it started; it is empty if it wrote nothing.
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
