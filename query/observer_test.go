package query_test

import (
	"context"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/query"
)

// watch is the people table with an observer of every operation and a transport that records the
// operation of each request.
type watch struct {
	table     *entity.Table
	companies *entity.Repo[company]
	employees *entity.Repo[employee]
	names     entity.Projection[employee, name]
	started   []trestle.OperationInfo
	seen      []trestle.Event
	ended     []error // the error of the context at each notification
	marks     []any   // the value that Start added to it

	mu       sync.Mutex
	attempts map[any]int // by the mark of the operation
}

type markKey struct{}

func (w *watch) Start(ctx context.Context, op trestle.OperationInfo) context.Context {
	w.started = append(w.started, op)
	return context.WithValue(ctx, markKey{}, len(w.started))
}

func (w *watch) End(ctx context.Context, e trestle.Event) {
	w.seen, w.ended, w.marks = append(w.seen, e), append(w.ended, ctx.Err()), append(w.marks, ctx.Value(markKey{}))
}

// tap counts the attempts that pass through a transport.
type tap struct {
	next dynamodb.HTTPClient
	w    *watch
}

func (c tap) Do(r *http.Request) (*http.Response, error) {
	c.w.mu.Lock()
	c.w.attempts[r.Context().Value(markKey{})]++
	c.w.mu.Unlock()
	return c.next.Do(r)
}

func newWatch(t *testing.T, client trestle.Client) *watch {
	t.Helper()
	w := &watch{attempts: map[any]int{}}
	c := config
	c.Observer = w
	s := entity.NewSchema(c)
	cs, es := entity.Define[company](s), entity.Define[employee](s)
	w.names = entity.Project[name](es)
	entity.Define[employeeLog](s)
	open(t, client)
	table, err := s.Open(client, "people", entity.PlainCursors(), entity.ClientOptions(func(o *dynamodb.Options) { o.HTTPClient = tap{o.HTTPClient, w} }))
	require.NoError(t, err)
	w.table, w.companies, w.employees = table, cs.In(table), es.In(table)
	return w
}

// of returns the events of a call, without their durations. It checks that each operation started
// once before its end, and that all its attempts used the context that Start returned.
func (w *watch) of(t *testing.T, call func() error) ([]trestle.Event, error) {
	t.Helper()
	events, err := w.ofEnded(t, call)
	for i := range events {
		require.Equal(t, events[i].Attempts, w.attempts[i+1])
	}
	return events, err
}

// ofEnded is of for a call that may be ended early. Then its last attempts may not reach the
// transport.
func (w *watch) ofEnded(t *testing.T, call func() error) ([]trestle.Event, error) {
	t.Helper()
	w.started, w.seen, w.ended, w.marks = nil, nil, nil, nil
	clear(w.attempts)
	err := call()
	require.Len(t, w.started, len(w.seen))
	known := 0
	for i := range w.seen {
		require.Equal(t, w.started[i], w.seen[i].OperationInfo)
		require.Equal(t, i+1, w.marks[i])
		require.LessOrEqual(t, w.attempts[i+1], w.seen[i].Attempts)
		known += w.attempts[i+1]
		w.seen[i].Duration = min(w.seen[i].Duration, 0)
	}
	all := 0
	for _, n := range w.attempts {
		all += n
	}
	require.Equal(t, all, known, "attempts with another context")
	return w.seen, err
}

// drain ranges over a read to its end, or stops after n items.
func drain[T any](items func(func(T, error) bool), n int) func() error {
	return func() (last error) {
		for _, err := range items {
			if last = err; n == 1 {
				break
			}
			n--
		}
		return last
	}
}

type watched struct {
	call  func() error
	event trestle.Event
	// the error of the call if the operation succeeds: a condition on the results is false
	err error
}

// reads returns all reads with their expected events.
func (w *watch) reads(ctx context.Context) map[string]watched {
	in, whole := employee{CompanyID: "c1"}, company{ID: "c1"}
	q, c := query.Of(w.employees, in), query.Of(w.companies, whole).Collection()
	one := func(read func() error, e trestle.Event) watched { return watched{read, e, nil} }
	query1 := func(items, scanned, requests int, units float64) trestle.Event {
		return trestle.Event{OperationInfo: trestle.OperationInfo{Operation: "query", Entity: "employee"}, Items: items, Scanned: scanned, Requests: requests, Attempts: requests, Capacity: trestle.Capacity{Read: units}}
	}
	as := func(e trestle.Event, operation, entity, access, index string) trestle.Event {
		e.Operation, e.Entity, e.Access, e.Index = operation, entity, access, index
		return e
	}
	return map[string]watched{
		"all":            one(drain(q.All(ctx), -1), query1(5, 5, 1, 0.5)),
		"broken off":     one(drain(q.All(ctx), 1), query1(5, 5, 1, 0.5)),
		"pages":          one(drain(q.PageSize(2).All(ctx), -1), query1(5, 5, 3, 1.5)),
		"ahead":          one(drain(q.PageSize(2).Prefetch().All(ctx), -1), query1(5, 5, 3, 1.5)),
		"strong":         one(drain(query.Of(w.employees.Strong(), in).All(ctx), -1), query1(5, 5, 1, 1)),
		"filter":         one(drain(q.Filter(level.Gt(20)).All(ctx), -1), query1(2, 5, 1, 0.5)),
		"on an index":    one(drain(query.On(w.employees, "by-hire", in).All(ctx), -1), as(query1(5, 5, 1, 0.5), "query", "employee", "by-hire", "GSI1")),
		"first":          one(func() error { _, err := q.First(ctx); return err }, query1(1, 1, 1, 0.5)),
		"none":           {func() error { _, err := q.Where(employeeID.Eq("x")).First(ctx); return err }, query1(0, 0, 1, 0.5), trestle.ErrNotFound},
		"one of several": {func() error { _, err := q.One(ctx); return err }, query1(2, 2, 1, 0.5), query.ErrSeveral},
		"budget":         {func() error { _, err := q.PageSize(2).MaxRequests(1).Collect(ctx); return err }, query1(2, 2, 1, 0.5), query.ErrBudget},
		"page":           one(func() error { _, err := q.Limit(3).Page(ctx, ""); return err }, query1(3, 3, 1, 0.5)),
		"count":          one(func() error { _, err := q.Count(ctx); return err }, as(query1(5, 5, 1, 0.5), "count", "employee", "", "")),
		"projection":     one(func() error { _, err := query.As(q, w.names).Collect(ctx); return err }, query1(5, 5, 1, 0.5)),
		"items":          one(drain(query.Items(ctx, c), -1), as(query1(7, 7, 1, 0.5), "query", "company", "", "")),
		"load": one(func() error {
			return query.Load(ctx, c, &struct {
				Company   *company
				Employees []employee
				Logs      []employeeLog
			}{})
		}, as(query1(7, 7, 1, 0.5), "load", "company", "", "")),
		"scan":                    one(drain(query.Scan(w.employees).PageSize(8).All(ctx), -1), as(query1(10, 14, 2, 1), "scan", "employee", "", "")),
		"scan of all, broken off": one(drain(query.ScanTable(w.table).All(ctx), 1), as(query1(14, 14, 1, 0.5), "scan", "", "", "")),
		"get many": one(func() error {
			_, err := w.employees.GetMany(ctx, []employee{{CompanyID: "c1", ID: "e1"}, {CompanyID: "c1", ID: "e2"}})
			return err
		},
			as(query1(2, 0, 1, 1), "get many", "employee", "", "")),
		"get many, mixed": one(func() error {
			_, err := query.GetMany(ctx, query.Ref(w.companies, whole), query.Ref(w.employees, employee{CompanyID: "c1", ID: "e1"}))
			return err
		},
			as(query1(2, 0, 1, 1), "get many", "", "", "")),
	}
}

// The observer is notified of every read once, at its end. A condition on the results, such as that
// there is exactly one, is not a failure of the operation.
func TestReadsAreObserved(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		w := newWatch(t, e.Client(t))
		for name, c := range w.reads(t.Context()) {
			events, err := w.of(t, c.call)
			require.ErrorIs(t, err, c.err, name)
			c.event.Table, c.event.Outcome = "people", trestle.NoWrite
			if e.Name == engines.DynamoDBLocal && c.event.Scanned+c.event.Items == 0 {
				c.event.Capacity = events[0].Capacity // this engine charges nothing for empty reads
			}
			require.Equal(t, []trestle.Event{c.event}, events, name)
			require.Equal(t, []error{nil}, w.ended, name+": it is notified with the caller's context")
		}
	})
}

// The event of an operation contains its attempts, each throttling reason of the service once, and
// the error that the caller receives.
func TestFailedReadsAreObserved(t *testing.T) {
	t.Parallel()
	db := ddbtest.Start(t)
	w := newWatch(t, db.Client())
	for name, c := range w.reads(t.Context()) {
		db.ClearFaults()
		ops, reason := ddbtest.Op("Query", "Scan", "BatchGetItem"), "TableReadKeyRangeThroughputExceeded"
		if c.event.Index != "" {
			ops, reason = ddbtest.Op("Query"), "IndexReadKeyRangeThroughputExceeded"
		}
		db.Fail(ops, ddbtest.First(2), ddbtest.Throttle(reason)).MustHit(t)
		events, err := w.of(t, c.call)
		require.ErrorIs(t, err, c.err, name)
		c.event.Table, c.event.Outcome, c.event.Attempts, c.event.Throttled = "people", trestle.NoWrite, c.event.Attempts+2, []string{reason}
		require.Equal(t, []trestle.Event{c.event}, events, name)

		db.ClearFaults()
		db.Fail(ddbtest.Op("Query", "Scan", "BatchGetItem"), ddbtest.InternalError).MustHit(t)
		events, err = w.of(t, c.call)
		require.Error(t, err, name)
		require.Len(t, events, 1, name)
		got := events[0]
		require.Equal(t, trestle.Event{
			OperationInfo: c.event.OperationInfo,
			Requests:      1, Attempts: 3, Outcome: trestle.NoWrite, Err: got.Err,
		}, got, name)
		var failed, heard *trestle.OpError
		require.ErrorAs(t, err, &failed, name)
		require.ErrorAs(t, got.Err, &heard, name)
		require.Equal(t, failed, heard, name)
	}
	db.ClearFaults()
	page := db.Fail(ddbtest.Op("Query"), ddbtest.Nth(2), ddbtest.Reset)
	events, err := w.of(t, drain(query.Of(w.employees, employee{CompanyID: "c1"}).PageSize(2).All(t.Context()), -1))
	require.NoError(t, err)
	require.Positive(t, page.Hits())
	require.Equal(t, 3, events[0].Requests)
	require.Equal(t, 4, events[0].Attempts)
}

// A rejected read sends nothing, and the observer is not notified. The duration of an operation is
// above zero.
func TestInvalidReadsAreNotObserved(t *testing.T) {
	t.Parallel()
	db := ddbtest.Start(t)
	w := newWatch(t, db.Client())
	q := query.Of(w.employees, employee{CompanyID: "c1"})
	for _, refused := range []func() error{
		func() error { _, err := q.Limit(0).Collect(t.Context()); return err },
		func() error { _, err := q.Page(t.Context(), "no cursor"); return err },
		func() error { _, err := q.Explain(); return err },
		func() error { _, err := query.Scan(w.employees).Each(t.Context(), "no cursor", nil); return err },
		func() error { _, err := w.employees.GetMany(t.Context(), []employee{{}}); return err },
		func() error { _, err := w.employees.GetMany(t.Context(), nil); return err },
	} {
		events, _ := w.of(t, refused)
		require.Empty(t, events)
	}
	w.seen = nil
	_, err := q.Collect(t.Context())
	require.NoError(t, err)
	require.Greater(t, w.seen[0].Duration, time.Duration(0))
}
