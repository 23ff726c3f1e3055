package program

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
)

// Table prints the stored items with these attributes, sorted by key. It runs a Scan with the SDK
// alone, so it also prints the items that the library stores for itself.
func (t Tour) Table(ctx context.Context, client trestle.Client, table string, columns ...string) error {
	out, err := client.Scan(ctx, &dynamodb.ScanInput{TableName: &table})
	if err != nil {
		return err
	}
	slices.SortFunc(out.Items, func(a, b map[string]types.AttributeValue) int {
		return cmp.Or(cmp.Compare(Text(a["PK"]), Text(b["PK"])), cmp.Compare(Text(a["SK"]), Text(b["SK"])))
	})
	w := tabwriter.NewWriter(t.Out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, strings.Join(columns, "\t"))
	for _, item := range out.Items {
		cells := make([]string, len(columns))
		for i, c := range columns {
			cells[i] = Text(item[c])
		}
		fmt.Fprintln(w, strings.Join(cells, "\t"))
	}
	return w.Flush()
}
