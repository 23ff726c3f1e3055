package query_test

import (
	"fmt"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/query"
)

// ScanStored returns items as they are stored, including items that cannot be decoded, and skips
// the library's own items. The negative control is the scan that decodes; it ends at such an item.
func TestItemsAreReadUnchanged(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		client := e.Client(t)
		table := open(t, client)
		poison(t, client, table)
		name := table.Name()
		for _, pk := range []string{"ELSE#1", "$Uown"} {
			_, err := client.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: &name, Item: map[string]types.AttributeValue{
				"PK": &types.AttributeValueMemberS{Value: pk}, "SK": &types.AttributeValueMemberS{Value: "x"},
			}})
			require.NoError(t, err)
		}
		out, err := client.Scan(t.Context(), &dynamodb.ScanInput{TableName: &name})
		require.NoError(t, err)
		want := map[string]map[string]types.AttributeValue{}
		at := func(item map[string]types.AttributeValue) string {
			return fmt.Sprint(item["PK"].(*types.AttributeValueMemberS).Value, " ", item["SK"].(*types.AttributeValueMemberS).Value)
		}
		for _, item := range out.Items {
			want[at(item)] = item
		}
		delete(want, "$Uown x")

		got, people := map[string]map[string]types.AttributeValue{}, 0
		for raw, err := range query.ScanStored(table).Segments(3).PageSize(4).All(t.Context()) {
			require.NoError(t, err)
			got[at(raw.Item)] = raw.Item
			if raw.Type == "employee" {
				people++
			}
		}
		require.Equal(t, want, got)
		require.Equal(t, 10, people)

		some := query.Filter(query.ScanStored(table), employeeID.Eq("e2"))
		n := 0
		for raw, err := range some.All(t.Context()) {
			require.NoError(t, err)
			require.Equal(t, "employee", raw.Type)
			n++
		}
		require.Equal(t, 2, n)

		var failed error
		for _, err := range query.ScanTable(table).All(t.Context()) {
			failed = err
		}
		var op *trestle.OpError
		require.ErrorAs(t, failed, &op)
		require.NotEmpty(t, op.Key)
	})
}
