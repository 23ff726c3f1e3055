package oteltrestle_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/maintain"
	"github.com/trestledb/trestle/oteltrestle"
	"github.com/trestledb/trestle/query"
)

// attributes returns the attributes of a span by name.
func attributes(span tracetest.SpanStub) map[string]any {
	all := map[string]any{}
	for _, a := range span.Attributes {
		all[string(a.Key)] = a.Value.AsInterface()
	}
	return all
}

// Every operation has a span whose parent is the caller's span. The spans of its requests are
// children of it, including those of pages read ahead, of parallel segments, and of retries.
func TestRequestsAreChildrenOfTheOperation(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	a, in := employee{Company: "c1", ID: "a", Team: "t1"}, query.Of(s.employees, employee{Company: "c1"})
	var page query.Page[employee]
	for _, c := range []struct {
		name     string
		span     string
		requests int // at least
		call     func(context.Context) error
	}{
		{"create table", "create table office", 2, s.table.Create},
		{"check table", "check table office", 1, func(ctx context.Context) error { return maintain.Check(ctx, s.table) }},
		{"create", "create employee", 1, func(ctx context.Context) error { return s.employees.Create(ctx, &a) }},
		{"a read and a write", "overwrite employee", 2, func(ctx context.Context) error { return s.employees.Overwrite(ctx, &a) }},
		{"get", "get employee", 1, func(ctx context.Context) error { _, err := s.employees.Get(ctx, a); return err }},
		{"update", "update employee", 1, func(ctx context.Context) error { _, err := s.employees.Update(ctx, a, attr.Add(level, 1)); return err }},
		{"put", "put employee", 1, func(ctx context.Context) error {
			return s.employees.Put(ctx, &employee{Company: "c1", ID: "b", Team: "t1"})
		}},
		{"get many", "get many employee", 1, func(ctx context.Context) error {
			_, err := s.employees.GetMany(ctx, []employee{a, {Company: "c1", ID: "x"}})
			return err
		}},
		{"query", "query employee by-team", 2, func(ctx context.Context) error {
			_, err := query.On(s.employees, "by-team", employee{Team: "t1"}).PageSize(1).Collect(ctx)
			return err
		}},
		{"ahead", "query employee", 2, func(ctx context.Context) error {
			_, err := in.PageSize(1).Prefetch().Collect(ctx)
			return err
		}},
		{"first page", "query employee", 1, func(ctx context.Context) (err error) { page, err = in.Limit(1).Page(ctx, ""); return err }},
		{"next page", "query employee", 1, func(ctx context.Context) error { _, err := in.Limit(1).Page(ctx, page.Next); return err }},
		{"scan", "scan employee", 3, func(ctx context.Context) error {
			for _, err := range query.Scan(s.employees).Segments(3).All(ctx) {
				if err != nil {
					return err
				}
			}
			return nil
		}},
		{"scan of all", "scan office", 1, func(ctx context.Context) error {
			for _, err := range query.ScanTable(s.table).All(ctx) {
				return err
			}
			return nil
		}},
		{"throttled", "delete employee", 3, func(ctx context.Context) error {
			s.db.Fail(ddbtest.Op("DeleteItem"), ddbtest.First(2), ddbtest.Throttle()).MustHit(t)
			return s.employees.Delete(ctx, employee{Company: "c1", ID: "a"})
		}},
	} {
		span, requests := s.of(t, func(ctx context.Context) error {
			err := c.call(ctx)
			require.NoError(t, err, c.name)
			return err
		})
		require.Equal(t, c.span, span.Name, c.name)
		require.Equal(t, trace.SpanKindClient, span.SpanKind, c.name)
		require.GreaterOrEqual(t, len(requests), c.requests, c.name)
		require.EqualValues(t, len(requests), attributes(span)["trestle.attempts"], c.name)
		for _, r := range requests {
			require.Equal(t, span.SpanContext.SpanID(), r.Parent.SpanID(), c.name)
			require.False(t, r.StartTime.Before(span.StartTime), c.name)
			require.False(t, span.EndTime.Before(r.EndTime), c.name)
		}
	}
}

// A span has the attributes of the semantic conventions, and those of Trestle.
func TestAttributesOfSpans(t *testing.T) {
	t.Parallel()
	s := filled(t)
	gone := employee{Company: "c1", ID: "x"}
	base := func(operation, summary string, more map[string]any) map[string]any {
		all := map[string]any{
			"db.system.name": "aws.dynamodb", "db.operation.name": operation, "db.query.summary": summary,
			"db.collection.name": "office", "aws.dynamodb.table_names": []string{"office"},
			"trestle.entity": "employee", "trestle.requests": int64(1), "trestle.attempts": int64(1),
		}
		for name, value := range more {
			all[name] = value
		}
		return all
	}
	for _, c := range []struct {
		name   string
		call   func(context.Context) error
		status codes.Code
		want   map[string]any
	}{
		{"a read", func(ctx context.Context) error {
			_, err := s.employees.Get(ctx, employee{Company: "c1", ID: "a"})
			return err
		}, codes.Unset,
			base("get", "get employee", map[string]any{
				"db.response.returned_rows":      int64(1),
				"aws.dynamodb.consumed_capacity": []string{`{"TableName":"office","CapacityUnits":0.5,"ReadCapacityUnits":0.5}`},
			})},
		{"a read that finds nothing", func(ctx context.Context) error { _, err := s.employees.Get(ctx, gone); return err }, codes.Unset,
			base("get", "get employee", map[string]any{
				"db.response.returned_rows":      int64(0),
				"aws.dynamodb.consumed_capacity": []string{`{"TableName":"office","CapacityUnits":0.5,"ReadCapacityUnits":0.5}`},
			})},
		{"a query", func(ctx context.Context) error {
			_, err := query.On(s.employees, "by-team", employee{Team: "t1"}).Filter(level.Ge(3)).Collect(ctx)
			return err
		}, codes.Unset, base("query", "query employee by-team", map[string]any{
			"trestle.access_pattern": "by-team", "aws.dynamodb.index_name": "GSI1",
			"db.response.returned_rows": int64(2), "aws.dynamodb.scanned_count": int64(5),
			"aws.dynamodb.consumed_capacity": []string{`{"TableName":"office","CapacityUnits":0.5,"ReadCapacityUnits":0.5}`},
		})},
		{"a write, throttled once", func(ctx context.Context) error {
			s.db.Fail(ddbtest.Op("PutItem"), ddbtest.First(1), ddbtest.Throttle("TableWriteKeyRangeThroughputExceeded")).MustHit(t)
			return s.employees.Put(ctx, &employee{Company: "c1", ID: "f", Team: "t2"})
		}, codes.Unset, base("put", "put employee", map[string]any{
			"trestle.outcome": "applied", "trestle.attempts": int64(2), "trestle.throttling_reasons": []string{"TableWriteKeyRangeThroughputExceeded"},
			"aws.dynamodb.consumed_capacity": []string{`{"TableName":"office","CapacityUnits":2,"WriteCapacityUnits":2}`},
		})},
		{"a batch", func(ctx context.Context) error {
			s.db.Fail(ddbtest.Op("BatchGetItem"), ddbtest.First(1), ddbtest.Unprocessed(1)).MustHit(t)
			_, err := s.employees.GetMany(ctx, []employee{{Company: "c1", ID: "a"}, {Company: "c1", ID: "b"}})
			return err
		}, codes.Unset, base("get many", "get many employee", map[string]any{
			"db.response.returned_rows": int64(2), "trestle.requests": int64(2), "trestle.attempts": int64(2), "trestle.unprocessed_keys": int64(1),
			"aws.dynamodb.consumed_capacity": []string{`{"TableName":"office","CapacityUnits":1,"ReadCapacityUnits":1}`},
		})},
		{"a write that is rejected", func(ctx context.Context) error {
			return s.employees.Create(ctx, &employee{Company: "c1", ID: "a", Team: "t1"})
		}, codes.Error, base("create", "create employee", map[string]any{
			"trestle.outcome": "not applied", "error.type": "ErrExists", "db.response.status_code": "ConditionalCheckFailedException", "aws.request_id": "",
		})},
		{"a write of an item that is gone", func(ctx context.Context) error {
			_, err := s.employees.Update(ctx, gone, level.Set(1))
			return err
		}, codes.Error, base("update", "update employee", map[string]any{
			"trestle.outcome": "not applied", "error.type": "ErrNotFound", "db.response.status_code": "ConditionalCheckFailedException", "aws.request_id": "",
		})},
		{"a write whose reply is lost", func(ctx context.Context) error {
			s.db.Fail(ddbtest.Op("UpdateItem"), ddbtest.First(1), ddbtest.AfterCommit(ddbtest.Reset)).MustHit(t)
			_, err := s.employees.Update(ctx, employee{Company: "c1", ID: "a"}, attr.Add(level, 1))
			return err
		}, codes.Error, base("update", "update employee", map[string]any{"trestle.outcome": "unknown", "error.type": "ErrUnknown"})},
		{"a read that is not allowed", func(ctx context.Context) error {
			s.db.Fail(ddbtest.Op("GetItem"), ddbtest.First(1), ddbtest.Error("AccessDeniedException", "m", 400)).MustHit(t)
			_, err := s.employees.Get(ctx, gone)
			return err
		}, codes.Error, base("get", "get employee", map[string]any{
			"db.response.returned_rows": int64(0), "error.type": "AccessDeniedException", "db.response.status_code": "AccessDeniedException", "aws.request_id": "",
		})},
		{"a read that is canceled", func(ctx context.Context) error {
			ctx, cancel := context.WithCancel(ctx)
			cancel()
			_, err := s.employees.Get(ctx, gone)
			return err
		}, codes.Error, base("get", "get employee", map[string]any{
			"db.response.returned_rows": int64(0), "error.type": "context.Canceled", "trestle.requests": int64(0), "trestle.attempts": int64(0),
		})},
		{"a read that cannot be decoded", func(ctx context.Context) error {
			key, err := s.employees.Type().Encode(&employee{Company: "c1", ID: "z", Team: "t"})
			require.NoError(t, err)
			key["level"] = key["PK"]
			s.db.Load(t, "office", key)
			_, err = s.employees.Get(ctx, employee{Company: "c1", ID: "z"})
			return err
		}, codes.Error, base("get", "get employee", map[string]any{
			"db.response.returned_rows": int64(0), "error.type": "_OTHER", "aws.request_id": "",
			"aws.dynamodb.consumed_capacity": []string{`{"TableName":"office","CapacityUnits":0.5,"ReadCapacityUnits":0.5}`},
		})},
	} {
		var err error
		span, _ := s.of(t, func(ctx context.Context) error { err = c.call(ctx); return err })
		got := attributes(span)
		if _, ok := c.want["aws.request_id"]; ok {
			require.NotEmpty(t, got["aws.request_id"], c.name)
			got["aws.request_id"] = ""
		}
		require.Equal(t, c.want, got, c.name)
		require.Equal(t, c.status, span.Status.Code, c.name)
		if c.status == codes.Error {
			require.Equal(t, err.Error(), span.Status.Description, c.name)
		}
		require.Empty(t, span.Events, c.name)
	}
}

// The span of a read of several tables has no table name.
func TestAReadOfSeveralTables(t *testing.T) {
	t.Parallel()
	s := filled(t)
	require.NoError(t, s.others.Create(t.Context()))
	here := query.Ref(s.employees, employee{Company: "c1", ID: "a"})
	there := query.Ref(s.employees.Type().In(s.others), employee{Company: "c1", ID: "a"})
	span, _ := s.of(t, func(ctx context.Context) error { _, err := query.GetMany(ctx, here, there); return err })
	require.Equal(t, "get many", span.Name)
	require.NotContains(t, attributes(span), "db.collection.name")
	require.NotContains(t, attributes(span), "aws.dynamodb.table_names")
	span, _ = s.of(t, func(ctx context.Context) error { _, err := query.GetMany(ctx, here, here); return err })
	require.Equal(t, "get many office", span.Name)
}

// Two observers with different providers each end their own span.
func TestTwoObservers(t *testing.T) {
	t.Parallel()
	var exporters [2]*tracetest.InMemoryExporter
	var observers []trestle.Observer
	for i := range exporters {
		exporters[i] = tracetest.NewInMemoryExporter()
		provider := sdktrace.NewTracerProvider(sdktrace.WithSyncer(exporters[i]))
		observers = append(observers, oteltrestle.NewObserver(oteltrestle.Config{TracerProvider: provider}))
	}
	schema := entity.NewSchema(entity.Config{Observer: trestle.MultiObserver(observers...), Indexes: []entity.IndexConfig{{Name: "GSI1"}}})
	employees := entity.Define[employee](schema)
	table, err := schema.Open(ddbtest.Client(t), "office")
	require.NoError(t, err)
	require.NoError(t, table.Create(t.Context()))
	require.NoError(t, employees.In(table).Create(t.Context(), &employee{Company: "c1", ID: "a"}))
	for _, e := range exporters {
		spans := e.GetSpans()
		require.Len(t, spans, 2)
		require.Contains(t, spans[1].Attributes, attribute.String("trestle.outcome", "applied"))
	}
}

// End without Start, and End with a foreign error, do not panic.
func TestForeignEvents(t *testing.T) {
	t.Parallel()
	o := oteltrestle.NewObserver(oteltrestle.Config{})
	o.End(t.Context(), trestle.Event{Err: errors.New("not an OpError")})
	o.End(o.Start(t.Context(), trestle.OperationInfo{}), trestle.Event{Err: errors.New("not an OpError")})
}

// A span has the number of items that a read found in a wrong state.
func TestSpansOfWrongItems(t *testing.T) {
	t.Parallel()
	spans := tracetest.NewInMemoryExporter()
	o := oteltrestle.NewObserver(oteltrestle.Config{TracerProvider: sdktrace.NewTracerProvider(sdktrace.WithSyncer(spans))})
	for _, e := range []trestle.Event{{Misplaced: 2, IgnoredTTL: 3}, {}} {
		o.End(o.Start(t.Context(), trestle.OperationInfo{Operation: "query"}), e)
	}
	wrong, right := attributes(spans.GetSpans()[0]), attributes(spans.GetSpans()[1])
	require.Equal(t, int64(2), wrong["trestle.misplaced_items"])
	require.Equal(t, int64(3), wrong["trestle.ignored_ttl_items"])
	require.NotContains(t, right, "trestle.misplaced_items")
	require.NotContains(t, right, "trestle.ignored_ttl_items")
}
