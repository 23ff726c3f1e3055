package ddblocal

import (
	"context"
	"net/http"
	"sync"
)

// Version is the DynamoDB Local that [Start] fetches and runs. A server met through DYNAMODB_ENDPOINT may be another.
const Version = "3.3.1"

// Source tells where a server comes from.
type Source string

// The sources, in the order in which [Start] tries them.
const (
	Given  Source = "DYNAMODB_ENDPOINT" // it ran already, and runs on after Close
	Java   Source = "Java"
	Docker Source = "Docker"
)

// Server is a running DynamoDB Local. Its methods are safe for concurrent use.
type Server struct {
	Endpoint string // URL without a path, such as http://127.0.0.1:49152
	Version  string // as the server states it; empty for a [Given] one, which does not
	Source   Source

	http  *http.Client
	close func() error
}

// Start finds or starts DynamoDB Local. The first time on a machine it downloads about 50 MB (Java) or an image (Docker);
// after that a start takes one to two seconds. ctx bounds the start, not the life of the server.
//
// The error is a [*MissingError] where there is nothing to start one with; any other error says that what is there does not work.
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

// Close closes the connections and ends the server, unless it is [Given]. It returns when the process is gone. Later calls return what the first did.
func (s *Server) Close() error { return s.close() }
