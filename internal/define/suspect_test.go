package define_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
)

// written compiles a type with the attributes id, order_id and total and this sort key template.
func written(config trestle.Config, template string) []trestle.Issue {
	type Order struct {
		ID      string `dynamodbav:"id"`
		OrderID string `dynamodbav:"order_id"`
		Total   int    `dynamodbav:"total"`
	}
	_, issues := definition{
		config: config, types: typesOf(Order{}),
		specs: specOf(Order{}, trestle.Spec{Type: "order", Key: trestle.KeySpec{PK: "<id>", SK: template}}),
	}.compile()
	return issues
}

// TestPlaceholdersOfOtherLanguages checks that placeholders of other template languages are not
// literals.
func TestPlaceholdersOfOtherLanguages(t *testing.T) {
	t.Parallel()
	for _, form := range []string{
		"{id}", "{ID}", "{ id }", "{{id}}", "{{.ID}}", "{{ .OrderID }}", "{orderid}", "{order_id}", "{o.ID}", "{total:08}", "{total,08}",
		"${id}", "%{id}", "$id", "$order_id", ":id", ":OrderID", "%s", "%08d", "%-5v", "%.3s",
	} {
		for _, around := range [][2]string{{"", ""}, {"ORDER#", ""}, {"ORDER#<id>#", "#END"}} {
			issues := written(trestle.Config{}, around[0]+form+around[1])
			require.Len(t, issues, 1, "%s in %v\n%s", form, around, textOf(issues))
			require.Equal(t, len(around[0]), issues[0].Offset, form)
			require.NotEmpty(t, issues[0].Hint, form)
		}
	}
	require.Len(t, written(trestle.Config{Delimiter: "|"}, "ORDER|{id}|:id"), 2)
	require.Len(t, written(trestle.Config{}, "#{id}{total}"), 2, "two in one segment")
}

// TestLiteralsAreNoPlaceholders checks that text is literal if it names no field or does not look
// like a placeholder.
func TestLiteralsAreNoPlaceholders(t *testing.T) {
	t.Parallel()
	for _, template := range []string{
		"id", "ID#<id>", "total", "order_id#<id>", "ORDER:id", "id:#<id>", ":", ":customer", ":id:total", "{customer}#<id>", "{}", "{", "id}", "{id",
		"{ids}", "(id)", "[id]", "@id", "100%", "%", "50%#<id>", "%sale", "A%s-B", "<total:08>#<id>",
	} {
		require.Empty(t, textOf(written(trestle.Config{}, template)), template)
	}
	require.Empty(t, written(trestle.Config{Delimiter: ":"}, "order:id:<id>:total"), "a delimiter is no mark of a placeholder")
	require.Empty(t, written(trestle.Config{Delimiter: "%"}, "order%s%d"))
}
