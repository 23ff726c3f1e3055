package query_test

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/query"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// input is implemented by every query.
type input interface {
	Input() (*dynamodb.QueryInput, error)
}

// The golden file testdata/requests/query.txt contains the requests of queries. The test needs no
// client.
func TestRequests(t *testing.T) {
	t.Parallel()
	table, err := schema.Open(silent{}, "people")
	require.NoError(t, err)
	es, in := employees.In(table), employee{CompanyID: "c1"}
	byHire := query.On(es, "by-hire", in)
	byLevel := query.On(es, "by-level", employee{CompanyID: "c1", Team: "a#b"})
	var text strings.Builder
	for _, c := range []struct {
		name string
		q    input
	}{
		{"a type in its partition", query.Of(es, in)},
		{"a type with one item a partition", query.Of(companies.In(table), company{ID: "c1"})},
		{"strongly consistent", query.Of(es.Strong(), in)},
		{"the collection", query.Of(companies.In(table), company{ID: "c1"}).Collection()},
		{"equality", query.Of(es, in).Where(employeeID.Eq("e#1"))},
		{"begins with", query.Of(es, in).Where(attr.BeginsWith(employeeID, "e"))},
		{"greater, bounded to the type", query.Of(es, in).Where(employeeID.Gt("e1"))},
		{"an index", byHire},
		{"a day on an index", byHire.Where(hiredAt.Eq(day(2)))},
		{"a month on an index", byHire.Where(attr.During(hiredAt, attr.Month(2026, 8)))},
		{"up to the last part", byHire.Where(hiredAt.Eq(day(2)), employeeID.Between("a", "b"))},
		{"an index's collection", byHire.Collection()},
		{"an index of several attributes", byLevel},
		{"a number between", byLevel.Where(level.Between(9, 18))},
		{"all attributes", byLevel.Where(level.Eq(9), employeeID.Eq("e1"))},
	} {
		q, err := c.q.Input()
		require.NoError(t, err, c.name)
		fmt.Fprintf(&text, "== %s\n%s\n", c.name, describe(q))
	}
	golden := filepath.Join("..", "testdata", "requests", "query.txt")
	if *update {
		require.NoError(t, os.WriteFile(golden, []byte(text.String()), 0o644))
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err)
	require.Equal(t, string(want), text.String())
}

// describe returns a request as plain text, with its placeholders in order.
func describe(in *dynamodb.QueryInput) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Query %s", *in.TableName)
	if in.IndexName != nil {
		fmt.Fprintf(&b, " on %s", *in.IndexName)
	}
	if in.ConsistentRead != nil {
		fmt.Fprintf(&b, ", consistent %t", *in.ConsistentRead)
	}
	fmt.Fprintf(&b, "\nkeys   %s\n", *in.KeyConditionExpression)
	if in.FilterExpression != nil {
		fmt.Fprintf(&b, "filter %s\n", *in.FilterExpression)
	}
	for _, n := range slices.Sorted(maps.Keys(in.ExpressionAttributeNames)) {
		fmt.Fprintf(&b, "name   %s = %s\n", n, in.ExpressionAttributeNames[n])
	}
	for _, v := range slices.Sorted(maps.Keys(in.ExpressionAttributeValues)) {
		fmt.Fprintf(&b, "value  %s = %s\n", v, plain(in.ExpressionAttributeValues[v]))
	}
	return b.String()
}

func plain(av types.AttributeValue) string {
	switch v := av.(type) {
	case *types.AttributeValueMemberS:
		return fmt.Sprintf("S %+q", v.Value)
	case *types.AttributeValueMemberN:
		return "N " + v.Value
	default:
		return fmt.Sprintf("%T", av)
	}
}
