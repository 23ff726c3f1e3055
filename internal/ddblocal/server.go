package ddblocal

import (
	"context"
	"net/http"
	"sync"
)

// Version is the version of DynamoDB Local that [Start] downloads and runs. A server at
// DYNAMODB_ENDPOINT may have another version.
const Version = "3.3.1"

// Source is where a server comes from.
type Source string

// The sources, in the order in which [Start] tries them.
const (
	Given  Source = "DYNAMODB_ENDPOINT" // already running; Close does not end it
	Java   Source = "Java"
	Docker Source = "Docker"
)

// Server is a running DynamoDB Local. Its methods are safe for concurrent use.
type Server struct {
	Endpoint string // URL without a path, such as http://127.0.0.1:49152
	Version  string // as the server reports it; empty if [Given]
	Source   Source

	http  *http.Client
	close func() error
}

// Start finds or starts DynamoDB Local. The first start on a machine downloads about 50 MB (Java)
// or an image (Docker). Later starts take one to two seconds. ctx limits the start, not the life of
// the server.
//
// The error is a [*MissingError] if no server can be started on this machine. Any other error means
// that a server is available but does not work.
func Start(ctx context.Context) (*Server, error) { return start(ctx, thisHost()) }

func start(ctx context.Context, h host) (*Server, error) {
	if endpoint := h.getenv(endpointVariable); endpoint != "" {
		return meet(ctx, endpoint)
	}
	server, err := startJava(ctx, h)
	noJava, absent := isAbsent(err)
	if !absent {
		return server, err
	}
	server, err = startDocker(ctx, h)
	noDocker, absent := isAbsent(err)
	if !absent {
		return server, err
	}
	return nil, &MissingError{Java: noJava, Docker: noDocker}
}

func newServer(source Source, endpoint, version string, end func() error) *Server {
	client := newHTTPClient()
	return &Server{
		Endpoint: endpoint,
		Version:  version,
		Source:   source,
		http:     client,
		close: sync.OnceValue(func() error {
			client.CloseIdleConnections()
			return end()
		}),
	}
}

// Close closes the connections and ends the server, unless it is [Given]. It returns when the
// process has ended. Later calls return the result of the first.
func (s *Server) Close() error { return s.close() }
