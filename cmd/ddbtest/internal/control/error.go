package control

import (
	"errors"
	"net/http"
	"strings"

	"github.com/trestledb/trestle/cmd/ddbtest/internal/databases"
	"github.com/trestledb/trestle/cmd/ddbtest/internal/fixture"
	"github.com/trestledb/trestle/cmd/ddbtest/internal/strict"
)

// Error is the reply to a request that was not carried out, or whose change the file lacks. It has
// everything that is wrong.
type Error struct {
	Problems  []strict.Problem `json:"errors"`
	Databases []databases.Key  `json:"databases,omitempty"` // those of which the request must name one, or the forks that keep it from being carried out
	Exceeded  []LimitUse       `json:"exceeded,omitempty"`  // of a budget

	Status int      `json:"-"`
	Allow  []string `json:"-"` // the methods of the path
}

// Error returns the problems as text.
func (e *Error) Error() string {
	texts := make([]string, len(e.Problems))
	for i, p := range e.Problems {
		texts[i] = p.String()
	}
	return strings.Join(texts, "\n")
}

func fail(status int, field, message, cure string) *Error {
	return &Error{Status: status, Problems: []strict.Problem{{Field: field, Message: message, Cure: cure}}}
}

// WriteError writes the error of a request that does not reach the endpoint.
func WriteError(w http.ResponseWriter, status int, message, cure string) {
	writeJSON(w, status, fail(status, "", message, cure))
}

// badRequest returns an error with the problems, or nil if there are none.
func badRequest(problems []strict.Problem) error {
	if len(problems) == 0 {
		return nil
	}
	return &Error{Status: http.StatusBadRequest, Problems: problems}
}

// problemsOf returns a problem for each error that is joined in err.
func problemsOf(err error) []strict.Problem {
	if err == nil {
		return nil
	}
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		var problems []strict.Problem
		for _, e := range joined.Unwrap() {
			problems = append(problems, problemsOf(e)...)
		}
		return problems
	}
	var invalid fixture.Invalid
	if errors.As(err, &invalid) {
		return []strict.Problem{invalid.Problem}
	}
	return []strict.Problem{{Message: err.Error()}}
}

// kept returns an error if the file of a database does not have what was changed.
func kept(db *databases.Database) error {
	if err := db.DB.Keep(); err != nil {
		return fail(http.StatusInternalServerError, "", "the database is changed, but its file is not: "+err.Error(), "the next request tries again")
	}
	return nil
}

// statusOf returns the error as a reply.
func statusOf(err error) *Error {
	var known *Error
	switch {
	case errors.As(err, &known):
		return known
	case databases.IsClosed(err):
		return fail(http.StatusConflict, "", "the database was closed or replaced meanwhile", "send the request again")
	case errors.Is(err, databases.ErrShared):
		return fail(http.StatusConflict, "", err.Error(), "reset it, restore a snapshot, or start ddbtest without -shared")
	case errors.Is(err, databases.ErrExists):
		return fail(http.StatusConflict, "accessKey", err.Error(), "name another access key, or remove the database")
	case errors.Is(err, databases.ErrInvalidKey):
		return fail(http.StatusBadRequest, "", err.Error(), "")
	default:
		return fail(http.StatusInternalServerError, "", err.Error(), "")
	}
}
