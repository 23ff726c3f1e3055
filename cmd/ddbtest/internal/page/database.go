package page

import (
	"net/http"
	"time"

	"github.com/trestledb/trestle/cmd/ddbtest/internal/control"
	"github.com/trestledb/trestle/cmd/ddbtest/internal/databases"
	"github.com/trestledb/trestle/ddbtest"
)

// databaseView is the page of a database.
type databaseView struct {
	Key      databases.Key
	URL      string
	Tables   []tableRow
	Now      time.Time
	Advance  form
	Lag      form
	Rules    []control.FaultState
	Rule     ruleForm
	Cost     ddbtest.Cost
	Requests requestsView
}

// databaseForms are the forms of the page with what was typed.
type databaseForms struct{ advance, lag, rule *typed }

func showDatabase(v *visit) (*reply, error) { return v.databasePage(databaseForms{}) }

// databasePage returns the page of the database. A form with problems shows them, with what was
// typed.
func (v *visit) databasePage(forms databaseForms) (*reply, error) {
	tables, err := v.tables()
	if err != nil {
		return nil, err
	}
	page := &reply{template: "database", title: v.db.Key.String(), data: databaseView{
		Key: v.db.Key, URL: v.url(), Tables: tables, Now: v.db.DB.Now(),
		Advance: advanceForm(forms.advance), Lag: lagForm(v.db, forms.lag),
		Rules: control.Faults(v.db), Rule: newRuleForm(tables, forms.rule),
		Cost: v.db.DB.Cost(), Requests: v.requests(),
	}}
	if forms != (databaseForms{}) {
		page.status, page.title = http.StatusUnprocessableEntity, "Error: "+page.title
	}
	return page, nil
}
