package page

import (
	"slices"
	"strings"

	"github.com/trestledb/trestle/ddbtest"
)

// shownRequests is how many requests the page of a database shows.
const shownRequests = 50

// requestsView has the last requests that match a filter, the newest first.
type requestsView struct {
	Filter   form
	Filtered bool
	Requests []ddbtest.Request
}

// requests returns the last requests.
func (v *visit) requests() requestsView {
	query := v.request.URL.Query()
	operation, table := query.Get("operation"), query.Get("table")
	all := v.db.DB.Requests()
	var operations, tables []string
	for i := range all {
		operations, tables = append(operations, all[i].Operation, all[i].RunsAs), append(tables, all[i].Tables...)
	}
	filter := newForm("requests", &typed{values: query}, []field{
		{Name: "operation", Label: "Operation", Options: choices(operations, operation)},
		{Name: "table", Label: "Table", Options: choices(tables, table)},
	})
	matching := slices.DeleteFunc(all, func(r ddbtest.Request) bool {
		return operation != "" && r.Operation != operation && r.RunsAs != operation || table != "" && !slices.Contains(r.Tables, table)
	})
	last := slices.Clone(matching[max(0, len(matching)-shownRequests):])
	slices.Reverse(last)
	return requestsView{Filter: filter, Filtered: operation != "" || table != "", Requests: last}
}

// choices returns the options of a filter: all, and each value once. The chosen one is an option
// even if no request has it.
func choices(values []string, chosen string) []option {
	values = append(values, chosen)
	slices.Sort(values)
	values = slices.DeleteFunc(slices.Compact(values), func(v string) bool { return v == "" })
	return append([]option{{Text: "All"}}, optionsOf(values...)...)
}

// target returns the tables and the index of a request.
func target(r ddbtest.Request) string {
	text := strings.Join(r.Tables, ", ")
	if r.Index != "" {
		text += "/" + r.Index
	}
	return text
}
