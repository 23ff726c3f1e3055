package oteltrestle_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"

	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/internal/canaries"
	"github.com/trestledb/trestle/query"
)

// Spans and metrics contain no key and no value, even if the service's own error text does.
func TestSpansContainNoValue(t *testing.T) {
	t.Parallel()
	s := filled(t)
	s.spans.Reset()
	e := employee{Company: canaries.Text, ID: canaries.Text, Team: canaries.Text, Level: canaries.Number}
	for range 2 { // the second fails: the item exists
		_ = s.employees.Create(t.Context(), &e)
	}
	_, _ = s.employees.Update(t.Context(), e, level.Set(canaries.Number+1))
	_, _ = s.employees.Get(t.Context(), e)
	_, _ = query.On(s.employees, "by-team", employee{Team: canaries.Text}).Filter(level.Gt(canaries.Number)).Collect(t.Context())
	item, err := s.employees.Type().Encode(&e)
	require.NoError(t, err)
	item["level"] = item["PK"]
	s.db.Load(t, "office", item)
	_, _ = s.employees.Get(t.Context(), e) // cannot be decoded
	s.db.Fail(ddbtest.Error("ValidationException", canaries.Text, 400)).MustHit(t)
	_ = s.employees.Delete(t.Context(), e)

	spans := s.spans.GetSpans()
	require.NotEmpty(t, spans)
	for _, span := range spans {
		if span.Name == httpSpan {
			continue
		}
		text, err := json.Marshal(span)
		require.NoError(t, err)
		require.False(t, canaries.In(string(text)), "%s", text)
	}
	var all metricdata.ResourceMetrics
	require.NoError(t, s.reader.Collect(t.Context(), &all))
	text, err := json.Marshal(all)
	require.NoError(t, err)
	require.Contains(t, string(text), "ValidationException")
	require.False(t, canaries.In(string(text)), "%s", text)
}
