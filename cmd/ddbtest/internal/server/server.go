// Package server serves the databases, the control endpoint and the pages for browsers over HTTP,
// on one port.
package server

import (
	"context"
	"errors"
	"net"
	"net/http"
	"regexp"
	"strings"
	"time"

	"github.com/trestledb/trestle/cmd/ddbtest/internal/control"
	"github.com/trestledb/trestle/cmd/ddbtest/internal/databases"
	"github.com/trestledb/trestle/cmd/ddbtest/internal/page"
)

// Server serves databases.
type Server struct {
	Databases *databases.Databases
	Origins   Origins // allowed by CORS
	Hosts     Hosts   // by which it may be called, beside its address and the names of this machine
	Name      string  // of the option -host: a name or an address
}

// version matches the path of a version of the control endpoint.
var version = regexp.MustCompile("^" + regexp.QuoteMeta(page.Prefix) + `v\d+(/|$)`)

// Handler returns the handler of all requests to a listener with a loopback address.
func (s *Server) Handler() http.Handler { return s.handler(true) }

func (s *Server) handler(loopback bool) http.Handler {
	dynamo := &dynamoHandler{s.Databases}
	endpoint := s.Origins.guard(control.New(s.Databases))
	pages := page.New(s.Databases)
	// No http.ServeMux: clients of DynamoDB may send any path, and it would redirect some.
	route := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case isControl(r):
			endpoint.ServeHTTP(w, r)
		case isPage(r):
			pages.ServeHTTP(w, r)
		case r.Header.Get(headerTarget) == "" && (r.Method == http.MethodGet || r.Method == http.MethodHead):
			serveRead(w, r)
		default:
			dynamo.ServeHTTP(w, r)
		}
	})
	return s.checkHost(s.Origins.wrap(route), loopback)
}

// isControl reports whether a request is for the control endpoint, which replies with an error in
// JSON if there is no such path or version.
func isControl(r *http.Request) bool {
	return strings.HasPrefix(r.URL.Path, control.Prefix) || r.Header.Get(headerTarget) == "" && version.MatchString(r.URL.Path)
}

// isPage reports whether a request is for a page.
func isPage(r *http.Request) bool {
	return r.Header.Get(headerTarget) == "" && strings.HasPrefix(r.URL.Path, page.Prefix) && !isControl(r)
}

// refuse writes an error in the form of the errors of the path.
func refuse(w http.ResponseWriter, r *http.Request, status int, message, cure string) {
	switch {
	case isControl(r):
		control.WriteError(w, status, message, cure)
	case isPage(r):
		http.Error(w, message+": "+cure, status)
	default:
		writeError(w, status, "AccessDeniedException", "ddbtest: "+message+": "+cure)
	}
}

// shutdownPatience limits the time for the last requests.
const shutdownPatience = 10 * time.Second

// Serve serves requests until the context ends. Then it replies to the requests that have arrived,
// except that those which a rule delays, or lets hang, end with a connection reset. It does not
// close the databases.
func (s *Server) Serve(ctx context.Context, listener net.Listener) error {
	waiting, endWaiting := context.WithCancel(context.WithoutCancel(ctx))
	defer endWaiting()
	server := newHTTPServer(s.handler(IsLoopback(listener.Addr())))
	server.BaseContext = func(net.Listener) context.Context { return waiting }
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	select {
	case err := <-served:
		return err
	case <-ctx.Done():
	}
	endWaiting()
	patience, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownPatience)
	defer cancel()
	err := server.Shutdown(patience)
	if err != nil {
		_ = server.Close()
	}
	if served := <-served; !errors.Is(served, http.ErrServerClosed) {
		err = errors.Join(err, served)
	}
	return err
}
