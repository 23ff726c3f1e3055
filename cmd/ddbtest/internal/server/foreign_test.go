package server_test

import (
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	endpoint "github.com/trestledb/trestle/cmd/ddbtest/internal/control"
	"github.com/trestledb/trestle/cmd/ddbtest/internal/databases"
	"github.com/trestledb/trestle/cmd/ddbtest/internal/page"
	"github.com/trestledb/trestle/cmd/ddbtest/internal/server"
)

// target is a request to one of the routes.
type target struct {
	method, path string
	form         bool // of a page
}

// everyRoute returns a request for each route of the control endpoint and of the pages.
func everyRoute(t *testing.T) []target {
	t.Helper()
	values := strings.NewReplacer("{id}", "1", "{table}", "things", "{accessKey}", "one", "{region}", "us-east-1", "{$}", "")
	var all []target
	for _, r := range endpoint.Routes() {
		all = append(all, target{r.Method, strings.TrimSuffix(endpoint.Prefix, "/") + values.Replace(r.Path), false})
	}
	require.Greater(t, len(all), 35)
	pages := page.Routes()
	require.Greater(t, len(pages), 10)
	for _, pattern := range pages {
		method, path, _ := strings.Cut(pattern, " ")
		all = append(all, target{method, values.Replace(path), true})
	}
	return all
}

// open is a server in this process, with one database that has the table things and a rule.
type open struct {
	t         *testing.T
	databases *databases.Databases
	handler   http.Handler
}

func openThings(t *testing.T, origins server.Origins) *open {
	t.Helper()
	dbs, err := databases.New(databases.Config{})
	require.NoError(t, err)
	t.Cleanup(func() {
		_, err := dbs.Close()
		require.NoError(t, err)
	})
	db, err := dbs.Open(databases.Key{AccessKey: "one", Region: "us-east-1"})
	require.NoError(t, err)
	createThings(t, db.DB.Client())
	o := &open{t, dbs, (&server.Server{Databases: dbs, Origins: origins}).Handler()}
	w := o.send(target{http.MethodPost, "/_ddbtest/v1/faults", false}, `{"operations":["Scan"],"effects":[{"effect":"Reset"}]}`, nil)
	require.Equal(t, http.StatusOK, w.Code)
	return o
}

// send sends a request with headers, of which Host is one.
func (o *open) send(to target, body string, headers map[string]string) *httptest.ResponseRecorder {
	o.t.Helper()
	r := httptest.NewRequest(to.method, "http://localhost:8000"+to.path, strings.NewReader(body))
	for name, value := range headers {
		r.Header.Set(name, value)
	}
	if host := headers["Host"]; host != "" {
		r.Host = host
	}
	w := httptest.NewRecorder()
	o.handler.ServeHTTP(w, r)
	return w
}

// state is what requests could change.
type state struct {
	keys  []databases.Key
	hash  [32]byte
	rules int
	marks int
}

func (o *open) state() (s state) {
	for _, db := range o.databases.All() {
		s.keys = append(s.keys, db.Key)
		s.hash, s.rules, s.marks = db.DB.Hash(), len(db.Rules.IDs()), len(db.Marks.IDs())
	}
	return s
}

// The headers of requests that pages of other sites send, and of others.
var (
	rebound = map[string]string{"Host": "evil.example:8000", "Origin": "http://evil.example:8000", "Sec-Fetch-Site": "same-origin", "Sec-Fetch-Mode": "cors"}
	foreign = map[string]map[string]string{
		"rebound":                 rebound,
		"rebound, an old browser": {"Host": "evil.example:8000", "Origin": "http://evil.example:8000"},
		"rebound, a GET request":  {"Host": "evil.example:8000"},
		"another origin":          {"Origin": "http://evil.example"},
		"another port":            {"Origin": "http://localhost:3000", "Sec-Fetch-Site": "same-site"},
		"hidden origin":           {"Origin": "null"},
		"cross-site":              {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"},
		"same site":               {"Sec-Fetch-Site": "same-site", "Sec-Fetch-Mode": "no-cors"},
		"cross-site with origin":  {"Origin": "http://evil.example", "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "cors"},
	}
	familiar = map[string]map[string]string{
		"a program":          {},
		"a page":             {"Origin": "http://localhost:8000", "Sec-Fetch-Site": "same-origin", "Sec-Fetch-Mode": "cors"},
		"an old browser":     {"Origin": "http://localhost:8000"},
		"typed into a field": {"Sec-Fetch-Site": "none", "Sec-Fetch-Mode": "navigate"},
	}
)

// TestForeignPages sends every request of the control endpoint and of the pages as a page of
// another site, as a page whose name was rebound, and as the server's own page, which is the
// negative control.
func TestForeignPages(t *testing.T) {
	t.Parallel()
	routes := everyRoute(t)
	for _, origins := range []server.Origins{{"*"}, {"http://a.example"}} {
		for _, kind := range []string{"application/json", "text/plain", "application/x-www-form-urlencoded", ""} {
			o := openThings(t, origins)
			before := o.state()
			for name, headers := range foreign {
				for _, to := range routes {
					w := o.send(to, "{}", with(headers, map[string]string{"Content-Type": kind}))
					require.Equal(t, http.StatusForbidden, w.Code, "%s: %s %s", name, to.method, to.path)
					require.Empty(t, w.Header().Get("Access-Control-Allow-Origin"))
				}
			}
			require.Equal(t, before, o.state())
		}
		for name, headers := range familiar {
			o := openThings(t, origins)
			before := o.state()
			for _, to := range routes {
				body, kind := "", "application/json"
				if to.form && to.method == http.MethodPost {
					body, kind = "by=1h", "application/x-www-form-urlencoded"
				}
				w := o.send(to, body, with(headers, map[string]string{"Content-Type": kind}))
				require.NotEqual(t, http.StatusForbidden, w.Code, "%s: %s %s", name, to.method, to.path)
			}
			require.NotEqual(t, before, o.state(), "requests were carried out")
		}
	}
}

// TestListedOrigins checks that a page whose origin is listed uses the control endpoint, but not
// the pages, and only by the name of the server.
func TestListedOrigins(t *testing.T) {
	t.Parallel()
	listed := map[string]string{"Origin": "http://a.example", "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "cors"}
	for _, to := range everyRoute(t) {
		o := openThings(t, server.Origins{"http://a.example"})
		require.Equal(t, to.form, o.send(to, "", listed).Code == http.StatusForbidden, "%s %s", to.method, to.path)
		require.Equal(t, http.StatusForbidden, o.send(to, "", with(listed, map[string]string{"Host": "evil.example"})).Code)
	}
}

// TestBodiesOfBrowsers checks that a browser must say that a body is JSON, because it sends bodies
// of the types of forms without asking first. curl sends one of these types too.
func TestBodiesOfBrowsers(t *testing.T) {
	t.Parallel()
	o := openThings(t, server.Origins{"http://a.example"})
	reset := target{http.MethodPost, "/_ddbtest/v1/reset", false}
	senders := maps.Clone(familiar)
	senders["listed"] = map[string]string{"Origin": "http://a.example", "Sec-Fetch-Site": "cross-site"}
	for name, headers := range senders {
		for kind, json := range map[string]bool{
			"application/json": true, "Application/JSON; charset=utf-8": true, "text/plain": false, "application/x-www-form-urlencoded": false,
			"multipart/form-data; boundary=x": false, "application/json-like": false, "": false, "nonsense;;": false,
		} {
			want := http.StatusOK
			if name != "a program" && !json {
				want = http.StatusUnsupportedMediaType
			}
			require.Equal(t, want, o.send(reset, "{}", with(headers, map[string]string{"Content-Type": kind})).Code, "%s: %q", name, kind)
		}
	}
}

// TestForeignHostsFindFaults checks that TestForeignPages would find a server that accepts every
// name: a rebound page moves the clock there.
func TestForeignHostsFindFaults(t *testing.T) {
	t.Parallel()
	o := openThings(t, nil)
	o.handler = (&server.Server{Databases: o.databases, Hosts: server.Hosts{"*"}}).Handler()
	codes := map[int]bool{}
	for _, to := range everyRoute(t) {
		codes[o.send(to, "", rebound).Code] = true
	}
	require.NotContains(t, slices.Collect(maps.Keys(codes)), http.StatusForbidden)
}
