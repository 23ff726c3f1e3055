package page

import (
	"strconv"

	"github.com/trestledb/trestle/cmd/ddbtest/internal/control"
)

// addRule adds the rule of a form.
func addRule(v *visit) (*reply, error) {
	values := v.request.PostForm
	fault, problems := readRule(values)
	if problems = withoutFields(checkFields(v.db, fault), problems); len(problems) == 0 {
		problems = control.AddFault(v.db, fault)
	}
	if len(problems) > 0 {
		return v.databasePage(databaseForms{rule: &typed{values, problems}})
	}
	return redirect(v.url() + "#rules"), nil
}

// removeRule removes a rule. It is no error if the rule was removed meanwhile.
func removeRule(v *visit) (*reply, error) {
	id, _ := strconv.Atoi(v.request.PathValue("id")) // no rule has the number 0
	if rule, ok := v.db.Rules.Remove(id); ok {
		rule.Remove()
	}
	return redirect(v.url() + "#rules"), nil
}
