package query_test

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
	texts  texts
}

// mark matches the placeholder of a name or a value in an expression.
var mark = regexp.MustCompile(`[#:][0-9A-Za-z_]+`)

// rowOf returns the request of a query in the form of a sheet row.
func (x *interview) rowOf(t *testing.T, in *dynamodb.QueryInput) patternRow {
	t.Helper()
	key, filter, _ := x.condition(t, in)
	return patternRow{"", cmp.Or(aws.ToString(in.IndexName), onTable), key, filter}
}

// condition returns the key condition and the filter with names and values, and the values of the
// key condition.
func (x *interview) condition(t *testing.T, in *dynamodb.QueryInput) (key, filter string, values []string) {
	t.Helper()
	attribute := ""
	spell := func(mark string) string {
		if name, ok := in.ExpressionAttributeNames[mark]; ok {
			attribute = name
			return name
		}
		require.Contains(t, in.ExpressionAttributeValues, mark)
		text := x.text(t, attribute, in.ExpressionAttributeValues[mark])
		values = append(values, text)
		return text
	}
	filter = mark.ReplaceAllStringFunc(aws.ToString(in.FilterExpression), spell)
	values = nil
	return mark.ReplaceAllStringFunc(*in.KeyConditionExpression, spell), filter, values
}

// equal returns the condition that key attributes have the values of an item.
func (x *interview) equal(t *testing.T, names []string, item map[string]types.AttributeValue) string {
	t.Helper()
	parts := make([]string, len(names))
	for i, name := range names {
		parts[i] = name + " = " + x.text(t, name, item[name])
	}
	return strings.Join(parts, " AND ")
}

// text returns the text of an attribute value. A key value has the type that the table declares.
func (x *interview) text(t *testing.T, attribute string, value types.AttributeValue) string {
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
	return text
}

// differences returns the rows of a sheet that are wrong, and the rows that it lacks.
func (x *interview) differences(sheet []patternRow) (all []string) {
	said := map[patternRow]int{}
	for _, row := range sheet {
		for _, e := range x.told[[2]string{row.pattern, row.index}] {
			if d := x.unlike(row, e); d != "" {
				all = append(all, d)
			}
		}
		row.key = x.texts[row.pattern].fill(row.key, x.raw)
		said[row]++
	}
	for _, row := range x.sent {
		if said[row]--; said[row] < 0 {
			all = append(all, fmt.Sprintf("not said: %q", row))
		}
	}
	for row, n := range said {
		if n > 0 {
			all = append(all, fmt.Sprintf("not so: %q", row))
		}
	}
	return all
}

// unlike reports how an explanation differs from a row. The names in the key conditions may differ
// if they have the same meaning.
func (x *interview) unlike(row patternRow, e explanation) string {
	row.key = x.texts[row.pattern].fill(row.key, x.raw)
	key := e.texts.fill(e.Key, x.raw)
	// the values of the sort key, which come last
	hidden := min(strings.Count(key, "?"), len(e.values))
	for _, v := range e.values[len(e.values)-hidden:] {
		key = strings.Replace(key, "?", v, 1)
	}
	if told := (patternRow{row.pattern, cmp.Or(e.Index, onTable), key, e.Filter}); told != row {
		return fmt.Sprintf("explained otherwise: %q, said %q", told, row)
	}
	return ""
}
