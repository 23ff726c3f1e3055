package control

import (
	"net/http"

	"github.com/trestledb/trestle/cmd/ddbtest/internal/fixture"
	"github.com/trestledb/trestle/cmd/ddbtest/internal/strict"
)

var fixtureRoutes = []Route{send(http.MethodPost, "/fixtures", loadFixtures)}

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

func loadFixtures(c *call, f *Fixtures) (Loaded, error) {
	content, _ := (*fixture.Fixtures)(f).Parse()
	if err := content.Load(c.db.DB); err != nil {
		return Loaded{}, badRequest(problemsOf(err))
	}
	tables, items := content.Counts()
	return Loaded{tables, items}, nil
}
