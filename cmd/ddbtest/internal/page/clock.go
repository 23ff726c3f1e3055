package page

import "github.com/trestledb/trestle/cmd/ddbtest/internal/control"

func advanceForm(t *typed) form {
	return newForm("clock", t, []field{{
		Name: "by", Label: "Move by", Hint: `A duration such as "90s", "36h" or "-5m". A negative one moves the clock back.`,
	}})
}

// moveClock moves the clock of the database.
func moveClock(v *visit) (*reply, error) {
	values := v.request.PostForm
	problems, err := control.AdvanceClock(v.db, values.Get("by"))
	if len(problems) > 0 {
		return v.databasePage(databaseForms{advance: &typed{values, problems}})
	}
	return redirect(v.url() + "#clock"), err
}
