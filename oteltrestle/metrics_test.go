package oteltrestle_test

import (
	"errors"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/metric/noop"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/oteltrestle"
)

// labels returns the attributes of a data point, including those that all data points have.
func labels(operation string, more ...attribute.KeyValue) attribute.Set {
	return attribute.NewSet(append(more,
		attribute.String("db.system.name", "aws.dynamodb"), attribute.String("db.operation.name", operation),
		attribute.String("db.query.summary", operation+" employee"), attribute.String("db.collection.name", "office"))...)
}

// sums returns the values of a counter by their attributes.
func sums[N int64 | float64](t *testing.T, a metricdata.Aggregation) map[attribute.Distinct]N {
	t.Helper()
	require.IsType(t, metricdata.Sum[N]{}, a)
	by := map[attribute.Distinct]N{}
	for _, p := range a.(metricdata.Sum[N]).DataPoints {
		by[p.Attributes.Equivalent()] = p.Value
	}
	return by
}

// at converts the keys of values to those of sums.
func at[N int64 | float64](values map[attribute.Set]N) map[attribute.Distinct]N {
	by := map[attribute.Distinct]N{}
	for set, n := range values {
		by[set.Equivalent()] = n
	}
	return by
}

// Durations, capacity units and throttling are recorded by operation.
func TestMetrics(t *testing.T) {
	t.Parallel()
	s := filled(t)
	a := employee{Company: "c1", ID: "a", Team: "t1"}
	for range 2 {
		_, err := s.employees.Get(t.Context(), a)
		require.NoError(t, err)
	}
	_, err := s.employees.Get(t.Context(), employee{Company: "c1", ID: "x"})
	require.ErrorIs(t, err, trestle.ErrNotFound)
	const reason = "TableWriteKeyRangeThroughputExceeded"
	s.db.Fail(ddbtest.Op("PutItem"), ddbtest.First(1), ddbtest.Throttle(reason)).MustHit(t)
	require.NoError(t, s.employees.Overwrite(t.Context(), &a))
	require.ErrorIs(t, s.employees.Create(t.Context(), &a), trestle.ErrExists)

	got := s.measured(t)
	require.Equal(t, at(map[attribute.Set]float64{labels("get"): 1.5, labels("overwrite"): 1}), sums[float64](t, got["trestle.read_units"]))
	require.Equal(t, at(map[attribute.Set]float64{labels("overwrite"): 2}), sums[float64](t, got["trestle.write_units"]))
	require.Equal(t, at(map[attribute.Set]int64{labels("overwrite", attribute.String("trestle.throttling_reason", reason)): 1}),
		sums[int64](t, got["trestle.throttled"]))

	require.IsType(t, metricdata.Histogram[float64]{}, got["db.client.operation.duration"])
	counts := map[attribute.Distinct]int64{}
	for _, p := range got["db.client.operation.duration"].(metricdata.Histogram[float64]).DataPoints {
		counts[p.Attributes.Equivalent()] = int64(p.Count)
		require.Positive(t, p.Sum)
		require.Equal(t, []float64{0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10}, p.Bounds)
	}
	require.Equal(t, at(map[attribute.Set]int64{
		labels("get"): 3, labels("overwrite"): 1,
		labels("create", attribute.String("error.type", "ErrExists"), attribute.String("db.response.status_code", "ConditionalCheckFailedException")): 1,
	}), counts)
}

// broken is a provider whose meter creates no instrument.
type broken struct{ noop.MeterProvider }

type brokenMeter struct{ noop.Meter }

var errBroken = errors.New("no instrument")

func (broken) Meter(string, ...metric.MeterOption) metric.Meter { return brokenMeter{} }

func (brokenMeter) Int64Counter(string, ...metric.Int64CounterOption) (metric.Int64Counter, error) {
	return nil, errBroken
}

func (brokenMeter) Float64Counter(string, ...metric.Float64CounterOption) (metric.Float64Counter, error) {
	return nil, errBroken
}

func (brokenMeter) Float64Histogram(string, ...metric.Float64HistogramOption) (metric.Float64Histogram, error) {
	return nil, errBroken
}

// The global providers are set once, because OpenTelemetry passes only the first ones to observers
// that exist already.
var (
	globalSpans  = tracetest.NewInMemoryExporter()
	globalReader = sdkmetric.NewManualReader()
	setGlobals   = sync.OnceFunc(func() {
		otel.SetTracerProvider(sdktrace.NewTracerProvider(sdktrace.WithSyncer(globalSpans)))
		otel.SetMeterProvider(sdkmetric.NewMeterProvider(sdkmetric.WithReader(globalReader)))
	})
)

// The zero Config uses the global providers, even if they are set after the observer is made. An
// instrument that cannot be created is reported and records nothing. The test changes global state,
// so it is not parallel.
func TestGlobalProviders(t *testing.T) {
	schema := entity.NewSchema(entity.Config{
		Observer: oteltrestle.NewObserver(oteltrestle.Config{}), Indexes: []entity.IndexConfig{{Name: "GSI1"}},
	})
	employees := entity.Define[employee](schema)
	table, err := schema.Open(ddbtest.Client(t), "office")
	require.NoError(t, err)
	setGlobals()
	globalSpans.Reset()
	require.NoError(t, table.Create(t.Context()))
	require.NoError(t, employees.In(table).Create(t.Context(), &employee{Company: "c1", ID: "a"}))
	require.Len(t, globalSpans.GetSpans(), 2)
	var all metricdata.ResourceMetrics
	require.NoError(t, globalReader.Collect(t.Context(), &all))
	require.Len(t, all.ScopeMetrics, 1)

	var reported []error
	otel.SetErrorHandler(otel.ErrorHandlerFunc(func(err error) { reported = append(reported, err) }))
	o := oteltrestle.NewObserver(oteltrestle.Config{MeterProvider: broken{}})
	for _, err := range reported {
		require.ErrorIs(t, err, errBroken)
	}
	require.Len(t, reported, 3)
	o.End(o.Start(t.Context(), trestle.OperationInfo{}), trestle.Event{
		Capacity: trestle.Capacity{Read: 1, Write: 1}, Throttled: []string{"x"},
	})
}
