// Package page serves pages for browsers: what the databases contain and what was requested of
// them, with forms for the clock, the lag and rules. They work without scripts and without a
// network. Each concept has a file, and a template of the same name below templates.
package page

import (
	"embed"
	"maps"
	"net/http"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/trestledb/trestle/cmd/ddbtest/internal/databases"
)

// Prefix is the path of the pages.
const Prefix = "/_ddbtest/"

//go:embed templates static
var files embed.FS

// maxForm is the most bytes that a form may have.
const maxForm = 1 << 20

// Handler serves the pages.
type Handler struct {
	databases *databases.Databases
	mux       *http.ServeMux
}

// The patterns of the pages that are not about one database.
const (
	styleRoute     = "GET " + Prefix + "style.css"
	databasesRoute = "GET " + Prefix + "{$}"
)

// ofDatabases are the pages of a database, by their method and their path below its address.
var ofDatabases = map[string]func(*visit) (*reply, error){
	"GET /{$}":                       showDatabase,
	"POST /clock":                    moveClock,
	"POST /lag":                      setLag,
	"POST /settle":                   settle,
	"POST /rules":                    addRule,
	"POST /rules/{id}/remove":        removeRule,
	"GET /tables/{table}/{$}":        ofTable(showItems),
	"GET /tables/{table}/item":       ofTable(showItem),
	"GET /tables/{table}/definition": ofTable(showDefinition),
	"GET /tables/{table}/records":    ofTable(showRecords),
	"GET /clock":                     backToDatabase, // the address after a form with errors
	"GET /lag":                       backToDatabase,
	"GET /rules":                     backToDatabase,
}

// ofDatabaseRoute returns the pattern of a page of a database.
func ofDatabaseRoute(methodAndPath string) string {
	method, path, _ := strings.Cut(methodAndPath, " ")
	return method + " " + databasesPath + "{accessKey}/{region}" + path
}

// Routes returns the patterns of all pages, in the form of [http.ServeMux].
func Routes() []string {
	all := []string{styleRoute, databasesRoute}
	for _, below := range slices.Sorted(maps.Keys(ofDatabases)) {
		all = append(all, ofDatabaseRoute(below))
	}
	return all
}

// New returns the pages of databases.
func New(d *databases.Databases) *Handler {
	h := &Handler{databases: d, mux: http.NewServeMux()}
	h.mux.HandleFunc(Prefix, func(w http.ResponseWriter, r *http.Request) {
		write(w, r, failure(http.StatusNotFound, "There is no such page."))
	})
	h.mux.HandleFunc(styleRoute, serveStyle)
	h.mux.HandleFunc(databasesRoute, h.serveDatabases)
	for below, serve := range ofDatabases {
		h.mux.HandleFunc(ofDatabaseRoute(below), h.ofDatabase(serve))
	}
	return h
}

// ServeHTTP implements [http.Handler].
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	setHeaders(w.Header())
	if isForeign(r) {
		write(w, r, failure(http.StatusForbidden, "The request comes from a page of another site."))
		return
	}
	if r.Method == http.MethodPost {
		r.Body = http.MaxBytesReader(w, r.Body, maxForm)
	}
	if err := r.ParseForm(); err != nil || !isText(r) {
		write(w, r, failure(http.StatusBadRequest, "The address or the form is invalid."))
		return
	}
	h.mux.ServeHTTP(w, r)
}

// isText reports whether the path and all values are valid UTF-8.
func isText(r *http.Request) bool {
	valid := utf8.ValidString(r.URL.Path)
	for name, values := range r.Form {
		valid = valid && utf8.ValidString(name) && utf8.ValidString(strings.Join(values, ""))
	}
	return valid
}

// setHeaders sets the headers of all replies. A page shows what it was asked for now, has no
// scripts, and is not for the scripts and frames of other sites.
func setHeaders(h http.Header) {
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Security-Policy",
		"default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Referrer-Policy", "same-origin")
	h.Set("X-Content-Type-Options", "nosniff")
}

// visit is a request for a page of a database.
type visit struct {
	db      *databases.Database
	several bool // more than one database is open
	request *http.Request
}

// ofDatabase returns the handler for pages of the database that the path names.
func (h *Handler) ofDatabase(serve func(*visit) (*reply, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		all := h.databases.All()
		for _, db := range all {
			if db.Key.AccessKey == r.PathValue("accessKey") && db.Key.Region == r.PathValue("region") {
				write(w, r, recovered(serve, &visit{db, len(all) > 1, r}))
				return
			}
		}
		write(w, r, failure(http.StatusNotFound, "There is no such database."))
	}
}

// recovered makes a reply. A panic is a defect of this program: it becomes an error.
func recovered(serve func(*visit) (*reply, error), v *visit) (page *reply) {
	defer func() {
		if p := recover(); p != nil {
			page = failure(http.StatusInternalServerError, "A defect of ddbtest: the request caused a panic. Report it.")
		}
	}()
	page, err := serve(v)
	if err != nil {
		return failureOf(err)
	}
	page.crumbs = append(v.crumbs(), page.crumbs...)
	return page
}
