package control

import (
	"bytes"
	"net/http"
	"reflect"
	"slices"

	"github.com/trestledb/trestle/cmd/ddbtest/internal/fixture"
	"github.com/trestledb/trestle/cmd/ddbtest/internal/strict"
	"github.com/trestledb/trestle/ddbtest"
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
	if len(bytes.TrimSpace(c.body)) == 0 {
		return nil, fail(http.StatusBadRequest, "", "the request has no body",
			"send tables and items; curl sends an empty body if the file after @ does not exist")
	}
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
	return c.load(func(db *ddbtest.DB) (tables, items int, err error) { return fixture.LoadBody(db, c.body, table) })
}

// load loads fixtures. It tries them on a fork first, so that an error leaves the database as it
// was.
func (c *call) load(into func(*ddbtest.DB) (tables, items int, err error)) (Loaded, error) {
	fork := c.fork()
	defer fork.Close()
	_, _, invalid := into(fork)
	var loaded Loaded
	if invalid == nil {
		loaded.Tables, loaded.Items, invalid = into(c.db.DB)
	}
	if err := kept(c.db); err != nil {
		return Loaded{}, err
	}
	if invalid != nil {
		if _, err := c.tableNames(); err != nil { // the database was closed meanwhile
			return Loaded{}, err
		}
	}
	return loaded, badRequest(problemsOf(invalid))
}

// checkTable returns an error if there is no such table.
func (c *call) checkTable(table string) error {
	names, err := c.tableNames()
	if err != nil || slices.Contains(names, table) {
		return err
	}
	return noTable(table, names)
}

func loadFixtures(c *call, f *Fixtures) (Loaded, error) {
	content, _ := (*fixture.Fixtures)(f).Parse()
	return c.load(func(db *ddbtest.DB) (tables, items int, err error) {
		tables, items = content.Counts()
		return tables, items, content.Load(db)
	})
}
