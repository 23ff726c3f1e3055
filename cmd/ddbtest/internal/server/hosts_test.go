package server_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/cmd/ddbtest/internal/server"
)

// A request for each kind of path.
const (
	toAPI     = "API"
	toHealth  = "health"
	toControl = "control"
	toPage    = "page"
)

// statusOf sends a request of a program, with a Host header and others.
func (r *running) statusOf(t *testing.T, kind, host string, headers map[string]string) int {
	t.Helper()
	all := map[string]string{"Host": host}
	for name, value := range headers {
		all[name] = value
	}
	method, path, body := http.MethodGet, "/", ""
	switch kind {
	case toAPI:
		method, body = http.MethodPost, "{}"
		all["X-Amz-Target"], all["Authorization"] = "DynamoDB_20120810.ListTables", scope
	case toControl:
		path = control
	case toPage:
		path = "/_ddbtest/style.css"
	}
	reply, _ := r.send(t, method, path, body, all)
	return reply.StatusCode
}

// TestHosts checks by which names a server can be called: a page whose name was rebound to the
// address of the server has the origin of that name.
func TestHosts(t *testing.T) {
	t.Parallel()
	every := []string{toAPI, toHealth, toControl, toPage}
	program := []string{toAPI, toHealth}
	own := []string{"localhost:8000", "LOCALHOST", "localhost.", "mine.localhost:1", "127.0.0.1:8000", "127.9.9.9", "[::1]:8000", "[::ffff:127.0.0.1]"}
	foreign := []string{
		"evil.example", "evil.example:8000", "localhost.evil.example", "evillocalhost", "127.0.0.1.evil.example",
		"host.docker.internal:8000", "dynamodb:8000",
	}
	addresses := []string{"192.0.2.1:8000", "0.0.0.0", "[2001:db8::1]:8000"}
	for _, c := range []struct {
		name     string
		address  string
		server   server.Server
		hosts    []string
		accepted []string // the requests with any of these Host headers
	}{
		{"loopback", "127.0.0.1:0", server.Server{}, own, every},
		{"loopback, other names", "127.0.0.1:0", server.Server{}, foreign, nil},
		{"loopback, other addresses", "127.0.0.1:0", server.Server{}, addresses, nil},
		{"loopback, listed", "127.0.0.1:0", server.Server{Hosts: server.Hosts{"dynamodb", "192.0.2.1"}}, []string{"dynamodb:8000", "DynamoDB.", "192.0.2.1:1"}, every},
		{"loopback, not listed", "127.0.0.1:0", server.Server{Hosts: server.Hosts{"other"}}, foreign, nil},
		{"loopback, all", "127.0.0.1:0", server.Server{Hosts: server.Hosts{"*"}}, foreign, every},
		{"public", "0.0.0.0:0", server.Server{}, append(own, addresses...), every},
		{"public, other names", "0.0.0.0:0", server.Server{}, foreign, program},
		{"public, its own name", "0.0.0.0:0", server.Server{Name: "mybox"}, []string{"mybox:8000"}, every},
		{"public, listed", "0.0.0.0:0", server.Server{Hosts: server.Hosts{"dynamodb"}}, append(own, "dynamodb:8000", "192.0.2.1"), every},
		{"public, not listed", "0.0.0.0:0", server.Server{Hosts: server.Hosts{"other"}}, foreign, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			c.server.Origins = server.Origins{"http://a.example"}
			r := startServer(t, c.address, &c.server)
			for _, host := range c.hosts {
				for _, kind := range every {
					want := http.StatusForbidden
					for _, accepted := range c.accepted {
						if accepted == kind {
							want = http.StatusOK
						}
					}
					require.Equal(t, want, r.statusOf(t, kind, host, nil), "%s at %s", kind, host)
				}
			}
		})
	}
}

// TestUnusualHosts checks Host headers that the client of TestHosts does not send.
func TestUnusualHosts(t *testing.T) {
	t.Parallel()
	handler := (&server.Server{Origins: server.Origins{"*"}}).Handler()
	for host, want := range map[string]int{
		"": http.StatusOK, "localhost@evil.example": http.StatusForbidden, "localhost:1@evil.example": http.StatusForbidden,
		"[::1]evil.example": http.StatusForbidden, "localhost:x": http.StatusForbidden, "::1": http.StatusForbidden, "[": http.StatusForbidden, ":80": http.StatusForbidden,
	} {
		r := httptest.NewRequest(http.MethodGet, "/", http.NoBody)
		r.Host = host
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		require.Equal(t, want, w.Code, host)
	}
}

// TestHostsOfPages checks what a page can do at a server that others can reach, by a name that is
// not listed: as much as CORS allows its origin.
func TestHostsOfPages(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		origins server.Origins
		origin  string
		want    int
	}{
		{server.Origins{"http://a.example"}, "http://rebound.example:8000", http.StatusForbidden},
		{server.Origins{"http://a.example"}, "null", http.StatusForbidden},
		{server.Origins{"http://a.example"}, "http://a.example", http.StatusOK},
		{server.Origins{"*"}, "http://rebound.example:8000", http.StatusOK},
	} {
		r := startServer(t, "0.0.0.0:0", &server.Server{Origins: c.origins})
		require.Equal(t, c.want, r.statusOf(t, toAPI, "rebound.example:8000", map[string]string{"Origin": c.origin}), c.origin)
		require.Equal(t, http.StatusForbidden, r.statusOf(t, toControl, "rebound.example:8000", map[string]string{"Origin": c.origin}))

		// A script needs no Origin header for a GET request to its own origin.
		reply, _ := r.send(t, http.MethodGet, "/", "", map[string]string{
			"Host": "rebound.example:8000", "X-Amz-Target": "DynamoDB_20120810.ListTables", "Authorization": scope,
		})
		require.Equal(t, http.StatusForbidden, reply.StatusCode)
	}
}

// TestRefusedHosts checks that the error has the form of the errors of its path.
func TestRefusedHosts(t *testing.T) {
	t.Parallel()
	r := start(t, server.Origins{"*"})
	for path, want := range map[string]string{"/": "application/x-amz-json-1.0", control: "application/json", "/_ddbtest/": "text/plain; charset=utf-8"} {
		reply, body := r.send(t, http.MethodPost, path, "{}", map[string]string{"Host": "evil.example", "Origin": "http://evil.example"})
		require.Equal(t, http.StatusForbidden, reply.StatusCode)
		require.Equal(t, want, reply.Header.Get("Content-Type"))
		require.Empty(t, reply.Header.Get("Access-Control-Allow-Origin"))
		require.Contains(t, body, "-allow-host evil.example", path)
	}
}

func TestParseHosts(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"dynamodb": "dynamodb", "Host.Docker.Internal": "host.docker.internal", "my_db.": "my_db", "192.0.2.1": "192.0.2.1",
		"2001:DB8::1": "2001:db8::1", "[::1]": "::1", "*": "*",
	} {
		hosts, err := server.ParseHosts([]string{text})
		require.NoError(t, err, text)
		require.Equal(t, server.Hosts{want}, hosts)
	}
	for _, text := range []string{"", ".", "a:8000", "http://a", "a/b", "a b", "*.a", "a,b", "[::1]:80"} {
		_, err := server.ParseHosts([]string{"valid", text})
		require.Error(t, err, text)
	}
}
