package page

import (
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/cmd/ddbtest/internal/control"
)

// definitionView is the page of a table's definition.
type definitionView struct {
	JSON string // as DescribeTable returns it
	Row  tableRow
}

// showDefinition shows the definition of a table.
func showDefinition(f *fork, d *types.TableDescription) (*reply, error) {
	row, err := f.tableRow(d)
	if err != nil {
		return nil, err
	}
	table := aws.ToString(d.TableName)
	text, err := control.DescribeTable(f.visit.request.Context(), f.db, table)
	if err != nil {
		return nil, err
	}
	return &reply{
		template: "definition", title: "Definition of " + table, crumbs: f.visit.tableCrumbs(table), data: definitionView{indented(text), row},
	}, nil
}
