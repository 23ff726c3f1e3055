package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/examples/internal/program"
)

// dump prints the stored items with all key attributes. It runs the only Scan of the program, with
// the SDK alone.
func (t tour) dump(ctx context.Context, client trestle.Client, table string) error {
	out, err := client.Scan(ctx, &dynamodb.ScanInput{TableName: &table})
	if err != nil {
		return err
	}
	slices.SortFunc(out.Items, func(a, b map[string]types.AttributeValue) int {
		return cmp.Or(cmp.Compare(program.Text(a["PK"]), program.Text(b["PK"])), cmp.Compare(program.Text(a["SK"]), program.Text(b["SK"])))
	})
	columns := []string{"PK", "SK", "filterName", "GSI1PK", "GSI1SK", "_type"}
	t.Printf("\nthe table at the end:")
	w := tabwriter.NewWriter(t.Out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, strings.Join(columns, "\t"))
	for _, item := range out.Items {
		cells := make([]string, len(columns))
		for i, c := range columns {
			cells[i] = program.Text(item[c])
		}
		fmt.Fprintln(w, strings.Join(cells, "\t"))
	}
	return w.Flush()
}
