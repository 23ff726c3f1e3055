package page

import (
	"net/url"

	"github.com/trestledb/trestle/cmd/ddbtest/internal/control"
	"github.com/trestledb/trestle/cmd/ddbtest/internal/databases"
)

// lagForm returns the form for the lag, with the current one if nothing was typed.
func lagForm(db *databases.Database, t *typed) form {
	if t == nil {
		lag := control.CurrentLag(db)
		t = &typed{values: url.Values{"items": {lag.Items}, "indexes": {lag.Indexes}}}
	}
	return newForm("lag", t, []field{
		{Name: "items", Label: "Tables and local indexes", Hint: `A duration such as "2s", or "untilSettled"`},
		{Name: "indexes", Label: "Global indexes"},
	})
}

// setLag sets how far eventually consistent reads lag behind.
func setLag(v *visit) (*reply, error) {
	values := v.request.PostForm
	lag := control.Lag{Items: values.Get("items"), Indexes: values.Get("indexes")}
	if problems := control.SetLag(v.db, lag); len(problems) > 0 {
		return v.databasePage(databaseForms{lag: &typed{values, problems}})
	}
	return redirect(v.url() + "#lag"), nil
}

// settle makes all writes visible to eventually consistent reads.
func settle(v *visit) (*reply, error) {
	return redirect(v.url() + "#lag"), control.Settle(v.db)
}
