package oteltrestle_test

import (
	"context"
	"net/http"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/require"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"

	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/oteltrestle"
)

// employee is an entity with an access pattern.
type employee struct {
	_       entity.Key   `type:"employee" pk:"COM#<company>" sk:"EMP#<id>"`
	_       entity.Index `name:"by-team" on:"GSI1" pk:"TEAM#<team>" sk:"EMP#<id>"`
	Company string       `dynamodbav:"company"`
	ID      string       `dynamodbav:"id"`
	Team    string       `dynamodbav:"team"`
	Level   int          `dynamodbav:"level"`
	Version int64        `dynamodbav:"version" entity:"version"`
}

var level = attr.Must(func(e *employee) *int { return &e.Level })

// stage is a table on ddbtest with recorded operations. Its requests make spans of their own, as an
// instrumented HTTP client does.
type stage struct {
	db        *ddbtest.DB
	table     *entity.Table
	others    *entity.Table // another table of the same schema and client
	employees *entity.Repo[employee]
	spans     *tracetest.InMemoryExporter
	tracer    trace.Tracer
	reader    *sdkmetric.ManualReader
}

const httpSpan = "HTTP"

type instrumented struct {
	next   dynamodb.HTTPClient
	tracer trace.Tracer
}

func (c instrumented) Do(r *http.Request) (*http.Response, error) {
	ctx, span := c.tracer.Start(r.Context(), httpSpan)
	defer span.End()
	return c.next.Do(r.WithContext(ctx))
}

func newStage(t *testing.T) *stage {
	t.Helper()
	s := &stage{db: ddbtest.Start(t), spans: tracetest.NewInMemoryExporter(), reader: sdkmetric.NewManualReader(sdkmetric.WithTemporalitySelector(deltas))}
	traces := sdktrace.NewTracerProvider(sdktrace.WithSyncer(s.spans))
	metrics := sdkmetric.NewMeterProvider(sdkmetric.WithReader(s.reader))
	s.tracer = traces.Tracer("test")
	schema := entity.NewSchema(entity.Config{
		Indexes:  []entity.IndexConfig{{Name: "GSI1"}},
		Observer: oteltrestle.NewObserver(oteltrestle.Config{TracerProvider: traces, MeterProvider: metrics}),
	})
	employees := entity.Define[employee](schema)
	client := s.db.Client(func(o *dynamodb.Options) { o.HTTPClient = instrumented{o.HTTPClient, s.tracer} })
	table, err := schema.Open(client, "office", entity.PlainCursors())
	require.NoError(t, err)
	others, err := schema.Open(client, "others")
	require.NoError(t, err)
	s.table, s.others, s.employees = table, others, employees.In(table)
	return s
}

// deltas makes each instrument report the changes since the last collection.
func deltas(sdkmetric.InstrumentKind) metricdata.Temporality { return metricdata.DeltaTemporality }

// filled returns a stage whose table has five employees. Nothing is recorded yet.
func filled(t *testing.T) *stage {
	t.Helper()
	s := newStage(t)
	require.NoError(t, s.table.Create(t.Context()))
	for i, id := range []string{"a", "b", "c", "d", "e"} {
		require.NoError(t, s.employees.Create(t.Context(), &employee{Company: "c1", ID: id, Team: "t1", Level: i}))
	}
	s.measured(t)
	return s
}

// of makes a call inside a caller's span. It returns the span of the one operation and the spans of
// its requests.
func (s *stage) of(t *testing.T, call func(context.Context) error) (tracetest.SpanStub, []tracetest.SpanStub) {
	t.Helper()
	s.spans.Reset()
	ctx, caller := s.tracer.Start(t.Context(), "caller")
	_ = call(ctx)
	caller.End()
	var operation, requests []tracetest.SpanStub
	for _, span := range s.spans.GetSpans() {
		switch span.Name {
		case "caller":
		case httpSpan:
			requests = append(requests, span)
		default:
			operation = append(operation, span)
		}
	}
	require.Len(t, operation, 1)
	require.Equal(t, caller.SpanContext().SpanID(), operation[0].Parent.SpanID(), "the caller's span is the parent")
	return operation[0], requests
}

// measured returns the metrics since the last collection, by name.
func (s *stage) measured(t *testing.T) map[string]metricdata.Aggregation {
	t.Helper()
	var all metricdata.ResourceMetrics
	require.NoError(t, s.reader.Collect(t.Context(), &all))
	byName := map[string]metricdata.Aggregation{}
	for _, scope := range all.ScopeMetrics {
		for _, m := range scope.Metrics {
			byName[m.Name] = m.Data
		}
	}
	return byName
}
