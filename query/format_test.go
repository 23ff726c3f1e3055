package query_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/canaries"
	"github.com/trestledb/trestle/query"
)

// Printing a query prints no values. Printing an SDK input does.
func TestReadErrorsContainNoValue(t *testing.T) {
	t.Parallel()
	table, err := secretSchema.Open(silent{}, "secrets", entity.PlainCursors())
	require.NoError(t, err)
	r, example := secrets.In(table), secret{Owner: canary}
	q := query.Of(r, example).Where(secDay.Eq(day(1)), secLabel.Eq(canary)).Filter(secN.Eq(canaryNumber)).Bind(canary)
	whole := query.Of(r, example).Collection()
	for name, thing := range map[string]any{
		"query":      q,
		"on":         query.On(r, "by-code", secret{Code: canary}).Where(secAmount.Ge(canaryNumber)),
		"part":       query.As(q, secretLabels),
		"collection": query.Filter(q.Collection(), secN.Eq(canaryNumber)),
		"prefix":     whole.Prefix(canary),
		"between":    whole.Between(canary, canary),
		"reference":  query.Ref(r, secret{Owner: canary, Day: day(1), Label: canary}),
		"scan":       query.Scan(r).Filter(secLabel.Eq(canary)).Bind(canary),
		"all":        query.Filter(query.ScanTable(table), secLabel.Eq(canary)).Bind(canary),
	} {
		require.Empty(t, canaries.Printed(thing), name)
		require.Empty(t, canaries.Printed([]any{thing}), name)
		if name != "all" {
			require.Contains(t, fmt.Sprint(thing), "secret", name)
		}
	}
	in, err := query.Of(r, example).Input()
	require.NoError(t, err)
	require.NotEmpty(t, canaries.Printed(in), "the negative control")
	for name, zero := range map[string]any{"query": query.Query[secret]{}, "collection": query.Collection{}, "reference": query.ItemRef{}, "scan": query.TableScan[any]{}} {
		require.NotContains(t, fmt.Sprintf("%+v", zero), "PANIC", name)
	}
}
