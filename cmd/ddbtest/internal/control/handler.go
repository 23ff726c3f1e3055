package control

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/trestledb/trestle/cmd/ddbtest/internal/databases"
	"github.com/trestledb/trestle/cmd/ddbtest/internal/strict"
)

// maxBody is the most bytes that a request may have. Fixtures may be large.
const maxBody = 64 << 20

// Handler serves the endpoint.
type Handler struct {
	databases *databases.Databases
	routes    []Route
}

// New returns the endpoint of databases.
func New(d *databases.Databases) *Handler { return &Handler{databases: d, routes: Routes()} }

// call is a request to the endpoint.
type call struct {
	databases *databases.Databases
	db        *databases.Database // nil for a route without a database
	request   *http.Request
	body      []byte
	parameter string // the last part of the path, if it is one
}

// file is a reply that is not JSON.
type file struct {
	contentType, name string
	content           []byte
}

// ServeHTTP implements [http.Handler].
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	reply, err := h.recovered(r)
	switch reply := reply.(type) {
	case file:
		w.Header().Set("Content-Type", reply.contentType)
		if reply.name != "" {
			w.Header().Set("Content-Disposition", fmt.Sprintf("attachment; filename=%q", reply.name))
		}
		_, _ = w.Write(reply.content)
		return
	case nil:
		if err == nil {
			w.WriteHeader(http.StatusNoContent)
			return
		}
	}
	if err == nil {
		writeJSON(w, http.StatusOK, reply)
		return
	}
	e := statusOf(err)
	if len(e.Allow) > 0 {
		w.Header().Set("Allow", strings.Join(e.Allow, ", "))
	}
	writeJSON(w, e.Status, e)
}

func writeJSON(w http.ResponseWriter, status int, reply any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(reply) // the client has gone
}

// recovered carries a request out. A panic is a defect of this program: it becomes an error.
func (h *Handler) recovered(r *http.Request) (reply any, err error) {
	defer func() {
		if p := recover(); p != nil {
			reply, err = nil, fail(http.StatusInternalServerError, "", "a defect of ddbtest: the request caused a panic", "report it")
		}
	}()
	return h.serve(r)
}

func (h *Handler) serve(r *http.Request) (any, error) {
	path, ok := strings.CutPrefix(r.URL.Path, Prefix)
	if !ok {
		return nil, fail(http.StatusNotFound, "", "this path does not exist", "all paths begin with "+Prefix+", and "+Prefix+"openapi.yaml describes them")
	}
	route, parameter, err := find(h.routes, r.Method, "/"+path)
	if err != nil {
		return nil, err
	}
	c := &call{databases: h.databases, request: r, parameter: parameter}
	if c.body, err = io.ReadAll(http.MaxBytesReader(nil, r.Body, maxBody)); err != nil {
		var tooLarge *http.MaxBytesError
		if errors.As(err, &tooLarge) {
			return nil, fail(http.StatusRequestEntityTooLarge, "", fmt.Sprintf("the request has more than %d bytes", maxBody), "")
		}
		return nil, fail(http.StatusBadRequest, "", "the request is incomplete", "")
	}
	problems := append(checkQuery(r, route), route.checkBody(c.body)...)
	if err := badRequest(problems); err != nil {
		return nil, err
	}
	if !route.NoDatabase {
		if c.db, err = h.choose(r); err != nil {
			return nil, err
		}
	}
	return route.handle(c)
}

// The query parameters that choose the database.
const (
	queryAccessKey = "accessKey"
	queryRegion    = "region"
)

// checkQuery returns the query parameters that the route does not have, and those that occur twice.
func checkQuery(r *http.Request, route *Route) []strict.Problem {
	known := slices.Clone(route.Query)
	if !route.NoDatabase {
		known = append(known, queryAccessKey, queryRegion)
	}
	var problems []strict.Problem
	query := r.URL.Query()
	for _, name := range sortedKeys(query) {
		switch {
		case !slices.Contains(known, name):
			problems = append(problems, strict.Problem{Field: name, Message: "unknown query parameter", Cure: strict.Nearest(name, known)})
		case len(query[name]) > 1:
			problems = append(problems, strict.Problem{Field: name, Message: "the query parameter occurs twice", Cure: "remove one of them"})
		}
	}
	return problems
}

// choose returns the database that the query parameters name. Without them it is the only one.
func (h *Handler) choose(r *http.Request) (*databases.Database, error) {
	query := r.URL.Query()
	named := h.databases.Find(query.Get(queryAccessKey), query.Get(queryRegion))
	if len(named) == 1 {
		return named[0], nil
	}
	open := h.databases.All()
	e := fail(http.StatusNotFound, "", "no such database is open", "name one of these, or open it with POST "+Prefix+"databases")
	switch {
	case len(open) == 0:
		e = fail(http.StatusNotFound, "", "no database is open",
			"the first request of a client opens the database of its access key and Region, and so does POST "+Prefix+"databases")
	case len(named) > 1:
		e = fail(http.StatusBadRequest, "", "several databases are open", "name one of these with ?accessKey=...&region=...")
		open = named
	}
	for _, db := range open {
		e.Databases = append(e.Databases, db.Key)
	}
	return nil, e
}

// query returns a query parameter that is a number from 0, or another number if it is absent.
func (c *call) query(name string, absent int) (int, error) {
	text := c.request.URL.Query().Get(name)
	if text == "" {
		return absent, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 {
		return 0, fail(http.StatusBadRequest, name, "is not a number from 0", "")
	}
	return n, nil
}

// numbered returns the element of a list whose number is in the path.
func numbered[T any](c *call, list *databases.Numbered[T], get func(int) (T, bool)) (id int, element T, err error) {
	id, err = strconv.Atoi(c.parameter)
	if err == nil {
		var ok bool
		if element, ok = get(id); ok {
			return id, element, nil
		}
	}
	return 0, element, missing("id", list.IDs())
}

// missing returns the error for a number that does not exist.
func missing(field string, there []int) *Error {
	texts := make([]string, len(there))
	for i, id := range there {
		texts[i] = strconv.Itoa(id)
	}
	cure := "none exists: create one first"
	switch len(texts) {
	case 0:
	case 1:
		cure = "the only one is " + texts[0]
	default:
		cure = "those that exist are " + strings.Join(texts, ", ")
	}
	return fail(http.StatusNotFound, field, "does not exist", cure)
}
