package control

import (
	"bytes"
	"encoding/json"
	"net/http"
	"reflect"
	"slices"
	"strings"

	"github.com/trestledb/trestle/cmd/ddbtest/internal/strict"
)

// Route is an operation of the endpoint.
type Route struct {
	Method     string
	Path       string   // after the prefix, such as "/faults/{id}"
	Query      []string // its query parameters, except those that choose the database
	In, Out    reflect.Type
	NoDatabase bool // it is not about one database

	handle func(*call) (any, error)
}

// validator is a request that is checked before it is carried out.
type validator interface {
	validate(*call) []strict.Problem
}

// read returns a route that reads something.
func read[Out any](path string, f func(*call) (Out, error), query ...string) Route {
	return Route{
		Method: http.MethodGet, Path: path, Query: query, Out: reflect.TypeFor[Out](),
		handle: func(c *call) (any, error) { return f(c) },
	}
}

// send returns a route whose request has a body.
func send[In, Out any](method, path string, f func(*call, *In) (Out, error)) Route {
	return Route{
		Method: method, Path: path, In: reflect.TypeFor[In](), Out: reflect.TypeFor[Out](),
		handle: func(c *call) (any, error) {
			in := new(In)
			if len(bytes.TrimSpace(c.body)) == 0 && len(requiredMembers(reflect.TypeFor[In]())) == 0 {
				c.body = []byte("{}")
			}
			problems := strict.Decode(c.body, in)
			if isObject(c.body) {
				problems = append(problems, missingMembers[In](c.body)...)
				if v, ok := any(in).(validator); ok {
					problems = addProblems(problems, v.validate(c))
				}
			}
			if len(problems) > 0 {
				return nil, &Error{Status: http.StatusBadRequest, Problems: problems}
			}
			return f(c, in)
		},
	}
}

// requiredMembers returns the members that a request must have.
func requiredMembers(t reflect.Type) (names []string) {
	for _, f := range strict.Fields(t) {
		if !f.Optional {
			names = append(names, f.Name)
		}
	}
	return names
}

// missingMembers returns a problem for each required member that an object lacks.
func missingMembers[In any](object []byte) (problems []strict.Problem) {
	var present map[string]json.RawMessage
	if json.Unmarshal(object, &present) != nil {
		return nil
	}
	for _, name := range requiredMembers(reflect.TypeFor[In]()) {
		if text := string(present[name]); text == "" || text == "null" {
			problems = append(problems, required(name, false)...)
		}
	}
	return problems
}

// addProblems adds problems, except those of members that have one already.
func addProblems(problems, more []strict.Problem) []strict.Problem {
	found := problems
	for _, p := range more {
		if p.Field == "" || !slices.ContainsFunc(found, func(before strict.Problem) bool { return before.Field == p.Field }) {
			problems = append(problems, p)
		}
	}
	return problems
}

// isObject reports whether a body is a JSON object. If not, its members are not worth checking.
func isObject(body []byte) bool {
	body = bytes.TrimSpace(body)
	return len(body) > 0 && body[0] == '{' && json.Valid(body)
}

// act returns a route without a body that returns something.
func act[Out any](path string, f func(*call) (Out, error)) Route {
	return Route{
		Method: http.MethodPost, Path: path, Out: reflect.TypeFor[Out](),
		handle: func(c *call) (any, error) { return f(c) },
	}
}

// do returns a route without a body that returns nothing.
func do(method, path string, f func(*call) error, query ...string) Route {
	return Route{Method: method, Path: path, Query: query, handle: func(c *call) (any, error) { return nil, f(c) }}
}

// ofServer marks a route that is not about one database.
func ofServer(r Route) Route {
	r.NoDatabase = true
	return r
}

// match reports whether a path belongs to the route, and returns the value of its parameter.
func (r *Route) match(path string) (parameter string, ok bool) {
	pattern, actual := strings.Split(r.Path, "/"), strings.Split(path, "/")
	if len(pattern) != len(actual) {
		return "", false
	}
	for i, part := range pattern {
		switch {
		case strings.HasPrefix(part, "{") && actual[i] != "":
			parameter = actual[i]
		case part != actual[i]:
			return "", false
		}
	}
	return parameter, true
}

// find returns the route of a request. Without one it returns an error.
func find(routes []Route, method, path string) (*Route, string, error) {
	var methods, paths []string
	for i := range routes {
		r := &routes[i]
		parameter, ok := r.match(path)
		if ok && r.Method == method {
			return r, parameter, nil
		}
		if ok {
			methods = append(methods, r.Method)
		}
		if !slices.Contains(paths, r.Path) {
			paths = append(paths, r.Path)
		}
	}
	if len(methods) > 0 {
		return nil, "", &Error{Status: http.StatusMethodNotAllowed, Allow: methods, Problems: []strict.Problem{{
			Message: "this path does not have the method", Cure: "use " + strings.Join(methods, " or "),
		}}}
	}
	return nil, "", fail(http.StatusNotFound, "", "this path does not exist", strict.Nearest(path, paths))
}

// checkBody returns the error of a body that the route does not take.
func (r *Route) checkBody(body []byte) []strict.Problem {
	if r.In != nil || len(bytes.TrimSpace(body)) == 0 {
		return nil
	}
	problems := strict.Decode(body, new(struct{}))
	for i := range problems {
		problems[i].Cure = "send no body, or {}: this operation has no members"
	}
	return problems
}
