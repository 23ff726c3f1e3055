package control

import (
	"net/http"
	"reflect"
	"slices"

	"github.com/trestledb/trestle/cmd/ddbtest/internal/fixture"
	"github.com/trestledb/trestle/cmd/ddbtest/internal/strict"
)

// queryTable is the query parameter with the table of a file's items.
const queryTable = "table"

var fixtureRoutes = []Route{{
	Method: http.MethodPost, Path: "/fixtures", Query: []string{queryTable},
	In: reflect.TypeFor[Fixtures](), Out: reflect.TypeFor[Loaded](), handle: loadBody,
}}

// Fixtures are tables and items, as in a file of the option -load.
type Fixtures fixture.Fixtures

// Loaded is what was loaded.
type Loaded struct {
	Tables int `json:"tables"`
	Items  int `json:"items"`
}

func (f *Fixtures) validate(*call) []strict.Problem {
	_, problems := (*fixture.Fixtures)(f).Parse()
	return problems
}

var ownRoute = send(http.MethodPost, "/fixtures", loadFixtures)

// loadBody loads a body of the own format, or any other file that -load takes.
func loadBody(c *call) (any, error) {
	table := c.request.URL.Query().Get(queryTable)
	if fixture.IsOwn(c.body) {
		if table != "" {
			return nil, fail(http.StatusBadRequest, queryTable, "the request names the tables of its items", "omit it")
		}
		return ownRoute.handle(c)
	}
	if table != "" {
		if err := c.checkTable(table); err != nil {
			return nil, err
		}
	}
	tables, items, err := fixture.LoadBody(c.db.DB, c.body, table)
	if err != nil {
		return nil, badRequest(problemsOf(err))
	}
	return Loaded{tables, items}, nil
}

// checkTable returns an error if there is no such table.
func (c *call) checkTable(table string) error {
	fork := c.fork()
	defer fork.Close()
	names, err := tableNames(c.request.Context(), fork)
	if err != nil || slices.Contains(names, table) {
		return err
	}
	return noTable(table, names)
}

func loadFixtures(c *call, f *Fixtures) (Loaded, error) {
	content, _ := (*fixture.Fixtures)(f).Parse()
	if err := content.Load(c.db.DB); err != nil {
		return Loaded{}, badRequest(problemsOf(err))
	}
	tables, items := content.Counts()
	return Loaded{tables, items}, nil
}
