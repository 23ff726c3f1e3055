package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"
)

// version is the version of DynamoDB Local that ddblocal downloads and runs.
const version = "3.3.1"

// server is a running DynamoDB Local.
type server struct {
	endpoint string          // URL without a path, such as http://127.0.0.1:49152
	name     string          // for the log, such as "DynamoDB Local 3.3.1 (Java)"
	ended    <-chan struct{} // closed when its process has ended; nil if ddblocal did not start it
}

// wait waits for the end of a server that ddblocal started.
func (s *server) wait() {
	if s.ended != nil {
		<-s.ended
	}
}

// missingError is the reason why a server is not available on this machine. Any other error means
// that it is available but does not work.
type missingError string

func (e missingError) Error() string { return string(e) }

// missing returns a missingError of one line.
func missing(format string, args ...any) error {
	return missingError(strings.Join(strings.Fields(fmt.Sprintf(format, args...)), " "))
}

// start finds or starts a server, which ends with ctx.
func start(ctx context.Context) (*server, error) {
	if endpoint := os.Getenv(endpointVariable); endpoint != "" {
		return useEndpoint(ctx, endpoint)
	}
	var noJava, noDocker missingError
	s, err := startJava(ctx)
	if !errors.As(err, &noJava) {
		return s, err
	}
	s, err = startDocker(ctx)
	if !errors.As(err, &noDocker) {
		return s, err
	}
	return nil, missing("no DynamoDB Local (Java: %s; Docker: %s): install Java 17 or newer and Maven, or start Docker, or set %s",
		noJava, noDocker, endpointVariable)
}

const (
	endpointPatience = 30 * time.Second // a server of the environment may still be starting
	pollInterval     = 25 * time.Millisecond
)

// useEndpoint waits for the server that the environment names. An error does not contain the URL,
// which may contain a password.
func useEndpoint(ctx context.Context, endpoint string) (*server, error) {
	u, err := url.Parse(endpoint)
	if err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") {
		return nil, fmt.Errorf("%s is not a URL such as http://127.0.0.1:8000", endpointVariable)
	}
	ctx, cancel := context.WithTimeout(ctx, endpointPatience)
	defer cancel()
	if err := awaitHTTP(ctx, endpoint, func(*http.Response) bool { return true }); err != nil {
		return nil, fmt.Errorf("%s: nothing answers at %s: %w", endpointVariable, u.Host, err)
	}
	return &server{endpoint: endpoint, name: "the server at " + endpointVariable}, nil
}

// awaitHTTP polls the endpoint until accept returns true or ctx ends. DynamoDB responds to a GET
// without a signature with an error.
func awaitHTTP(ctx context.Context, endpoint string, accept func(*http.Response) bool) error {
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}, Timeout: 5 * time.Second}
	tick := time.NewTicker(pollInterval)
	defer tick.Stop()
	for {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, endpoint, http.NoBody)
		if err != nil {
			return err
		}
		if response, err := client.Do(request); err == nil {
			_ = response.Body.Close()
			if accept(response) {
				return nil
			}
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}
