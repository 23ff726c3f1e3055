package page

import "github.com/trestledb/trestle/cmd/ddbtest/internal/control"

// definitionView is the page of a table's definition.
type definitionView struct {
	JSON string // as DescribeTable returns it
	Row  tableRow
}

// showDefinition shows the definition of a table.
func showDefinition(v *visit) (*reply, error) {
	f := v.fork()
	defer f.close()
	table := v.request.PathValue("table")
	row, err := f.tableRow(table)
	if err != nil {
		return nil, err
	}
	text, err := control.DescribeTable(v.request.Context(), f.db, table)
	if err != nil {
		return nil, err
	}
	return &reply{
		template: "definition", title: "Definition of " + table, crumbs: v.tableCrumbs(table), data: definitionView{indented(text), row},
	}, nil
}
