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

	"github.com/trestledb/trestle/entity"
)

// explanation is what was said of a query, with the values that were sent in its key condition, and what stands in the keys of its type.
type explanation struct {
	entity.Explanation
	values []string
	texts  texts
}

// mark finds what stands for a name or a value in an expression.
var mark = regexp.MustCompile(`[#:][0-9A-Za-z_]+`)

// rowOf is what a query sends, in the words of a sheet.
func (x *interview) rowOf(t *testing.T, in *dynamodb.QueryInput) patternRow {
	t.Helper()
	key, filter, _ := x.condition(t, in)
	return patternRow{"", cmp.Or(aws.ToString(in.IndexName), onTable), key, filter}
}

// condition spells out the key condition and the filter, and lists the values of the key condition.
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

// equal is the condition that key attributes have the values of an item.
func (x *interview) equal(t *testing.T, names []string, item map[string]types.AttributeValue) string {
	t.Helper()
	parts := make([]string, len(names))
	for i, name := range names {
		parts[i] = name + " = " + x.text(t, name, item[name])
	}
	return strings.Join(parts, " AND ")
}

// text is a value of an attribute; one of a key is of the type that the table declares.
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

// differences lists what a sheet says and is not so, and what is so and it does not say.
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

// unlike says where an explanation is another one than a row's; the key conditions may have other names where they mean the same.
func (x *interview) unlike(row patternRow, e explanation) string {
	row.key = x.texts[row.pattern].fill(row.key, x.raw)
	key := e.texts.fill(e.Key, x.raw)
	hidden := min(strings.Count(key, "?"), len(e.values)) // those of the sort key, which come last
	for _, v := range e.values[len(e.values)-hidden:] {
		key = strings.Replace(key, "?", v, 1)
	}
	if told := (patternRow{row.pattern, cmp.Or(e.Index, onTable), key, e.Filter}); told != row {
		return fmt.Sprintf("explained otherwise: %q, said %q", told, row)
	}
	return ""
}
