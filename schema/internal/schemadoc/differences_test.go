package schemadoc_test

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
)

// explanation is the explanation of a query, with the values in its key condition and the texts in
// the keys of its type.
type explanation struct {
	trestle.Explanation
	values []string
	texts  keyTexts
}

// expressionName matches the placeholder of a name or a value in an expression.
var expressionName = regexp.MustCompile(`[#:][0-9A-Za-z_]+`)

// rowOf returns the request of a query in the form of a row.
func (x *requestLog) rowOf(t *testing.T, in *dynamodb.QueryInput) patternRow {
	t.Helper()
	key, filter, _ := x.condition(t, in)
	return patternRow{"", cmp.Or(aws.ToString(in.IndexName), onTable), key, filter, ""}
}

// condition returns the key condition and the filter with names and values, and the values of the
// key condition.
func (x *requestLog) condition(t *testing.T, in *dynamodb.QueryInput) (key, filter string, values []string) {
	t.Helper()
	attribute := ""
	resolve := func(expressionName string) string {
		if name, ok := in.ExpressionAttributeNames[expressionName]; ok {
			attribute = name
			return name
		}
		require.Contains(t, in.ExpressionAttributeValues, expressionName)
		text := x.text(t, attribute, in.ExpressionAttributeValues[expressionName])
		values = append(values, text)
		return text
	}
	filter = expressionName.ReplaceAllStringFunc(aws.ToString(in.FilterExpression), resolve)
	values = nil
	return expressionName.ReplaceAllStringFunc(*in.KeyConditionExpression, resolve), filter, values
}

// equal returns the condition that key attributes have the values of an item.
func (x *requestLog) equal(t *testing.T, names []string, item map[string]types.AttributeValue) string {
	t.Helper()
	parts := make([]string, len(names))
	for i, name := range names {
		parts[i] = name + " = " + x.text(t, name, item[name])
	}
	return strings.Join(parts, " AND ")
}

// text returns the text of an attribute value. A key value has the type that the table declares.
func (x *requestLog) text(t *testing.T, attribute string, value types.AttributeValue) string {
	t.Helper()
	text, wire := "", ""
	switch v := value.(type) {
	case *types.AttributeValueMemberS:
		text, wire = v.Value, "S"
	case *types.AttributeValueMemberN:
		text, wire = v.Value, "N"
	case *types.AttributeValueMemberB:
		text, wire = string(v.Value), "B"
	}
	require.Equal(t, cmp.Or(x.wire[attribute], "S"), wire, attribute)
	return shardDigits.ReplaceAllString(text, "${1}"+anyShard)
}

// differences returns the rows that are wrong, and the requests that have no row.
func (x *requestLog) differences(rows []patternRow) (all []string) {
	count := map[patternRow]int{}
	for _, row := range rows {
		row.partitions = shards.FindString(row.partitions)
		for _, e := range x.explained[[2]string{row.pattern, row.index}] {
			if d := x.explanationDifference(row, e); d != "" {
				all = append(all, d)
			}
		}
		row.key = x.texts[row.pattern].fill(row.key, x.raw)
		count[row]++
	}
	for _, row := range x.sent {
		if count[row]--; count[row] < 0 {
			all = append(all, fmt.Sprintf("missing: %q", row))
		}
	}
	for row, n := range count {
		if n > 0 {
			all = append(all, fmt.Sprintf("never sent: %q", row))
		}
	}
	return all
}

// explanationDifference reports how an explanation differs from a row. The names in the key
// conditions may differ if they have the same meaning.
func (x *requestLog) explanationDifference(row patternRow, e explanation) string {
	row.key = x.texts[row.pattern].fill(row.key, x.raw)
	key := e.texts.fill(e.Key, x.raw)
	// the values of the sort key, which come last
	hidden := min(strings.Count(key, "?"), len(e.values))
	for _, v := range e.values[len(e.values)-hidden:] {
		key = strings.Replace(key, "?", v, 1)
	}
	partitions := shards.FindString(e.Partitions)
	if explained := (patternRow{row.pattern, cmp.Or(e.Index, onTable), key, e.Filter, partitions}); explained != row {
		return fmt.Sprintf("explained as %q, and the row is %q", explained, row)
	}
	return ""
}
