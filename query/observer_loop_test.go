package query_test

import (
	"context"
	"errors"
	"iter"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/query"
)

// loops returns all reads that a caller ranges over. Each sends several requests.
func (w *watch) loops(ctx context.Context) map[string]iter.Seq2[any, error] {
	in := query.Of(w.employees, employee{CompanyID: "c1"}).PageSize(2)
	return map[string]iter.Seq2[any, error]{
		"query":            anything(in.All(ctx)),
		"ahead":            anything(in.Prefetch().All(ctx)),
		"projection":       anything(query.As(in, w.names).All(ctx)),
		"items":            query.Items(ctx, query.Of(w.companies, company{ID: "c1"}).PageSize(2).Collection()),
		"scan":             anything(query.Scan(w.employees).PageSize(2).All(ctx)),
		"scan in segments": anything(query.Scan(w.employees).Segments(3).PageSize(2).All(ctx)),
		"scan of all":      query.ScanTable(w.table).PageSize(2).All(ctx),
		"scan as stored":   anything(query.ScanStored(w.table).PageSize(2).All(ctx)),
	}
}

// anything converts an iterator to values of type any.
func anything[T any](items iter.Seq2[T, error]) iter.Seq2[any, error] {
	return func(yield func(any, error) bool) {
		for item, err := range items {
			if !yield(item, err) {
				return
			}
		}
	}
}

// A loop is one operation, however it ends. All its requests use the context that Start returned.
// Its end is notified once, after all requests.
func TestReadEndsOnceForEveryExitOfALoop(t *testing.T) {
	t.Parallel()
	mine := errors.New("mine")
	endings := map[string]struct {
		run  func(context.CancelFunc, iter.Seq2[any, error]) error
		fail bool // the event has an error
	}{
		"to its end": {func(_ context.CancelFunc, items iter.Seq2[any, error]) error { return drain(items, -1)() }, false},
		"broken off": {func(_ context.CancelFunc, items iter.Seq2[any, error]) error { return drain(items, 1)() }, false},
		"later":      {func(_ context.CancelFunc, items iter.Seq2[any, error]) error { return drain(items, 4)() }, false},
		"pulled": {func(_ context.CancelFunc, items iter.Seq2[any, error]) error {
			next, stop := iter.Pull2(items)
			defer stop()
			_, err, _ := next()
			return err
		}, false},
		"canceled": {func(cancel context.CancelFunc, items iter.Seq2[any, error]) (last error) {
			for _, err := range items {
				cancel()
				last = err
			}
			if errors.Is(last, context.Canceled) {
				return nil
			}
			return mine
		}, true},
		"panicking": {func(_ context.CancelFunc, items iter.Seq2[any, error]) (err error) {
			defer func() {
				if recover() == nil {
					err = mine
				}
			}()
			for _, err := range items {
				panic(errors.Join(mine, err))
			}
			return nil
		}, true},
		"with its goroutine": {func(_ context.CancelFunc, items iter.Seq2[any, error]) error {
			done := make(chan struct{})
			go func() {
				defer close(done)
				for _, err := range items {
					if err == nil {
						runtime.Goexit()
					}
				}
			}()
			<-done
			return nil
		}, true},
	}
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		w := newWatch(t, e.Client(t))
		for how, end := range endings {
			for name := range w.loops(t.Context()) {
				ctx, cancel := context.WithCancel(t.Context())
				events, err := w.ofEnded(t, func() error { return end.run(cancel, w.loops(ctx)[name]) })
				cancel()
				require.NoError(t, err, "%s, %s", name, how)
				require.Len(t, events, 1, "%s, %s", name, how)
				require.Positive(t, events[0].Requests, "%s, %s", name, how)
				require.Equal(t, trestle.NoWrite, events[0].Outcome, "%s, %s", name, how)
				if end.fail {
					require.Error(t, events[0].Err, "%s, %s", name, how)
				} else {
					require.NoError(t, events[0].Err, "%s, %s", name, how)
				}
			}
		}
	})
}

// Each range over a query is an operation of its own, and so is each page.
func TestEachRunIsAnOperation(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		w := newWatch(t, e.Client(t))
		in := query.Of(w.employees, employee{CompanyID: "c1"})
		all := in.All(t.Context())
		events, err := w.of(t, func() error { return errors.Join(drain(all, -1)(), drain(all, -1)()) })
		require.NoError(t, err)
		require.Len(t, events, 2)
		events, err = w.of(t, func() error {
			page, err := in.Limit(3).Page(t.Context(), "")
			if err == nil {
				_, err = in.Limit(3).Page(t.Context(), page.Next)
			}
			return err
		})
		require.NoError(t, err)
		require.Len(t, events, 2)
	})
}

// A query that no key can match is an operation, but sends nothing.
func TestEmptyRangeIsObserved(t *testing.T) {
	t.Parallel()
	w := newWatch(t, ddbtest.Start(t).Client())
	never := query.On(w.employees, "by-hire", employee{CompanyID: "c1"}).Where(attr.During(hiredAt, attr.Period{Start: day(2), End: day(2)}))
	events, err := w.of(t, drain(never.All(t.Context()), -1))
	require.NoError(t, err)
	require.Equal(t, []trestle.Event{{
		OperationInfo: trestle.OperationInfo{Operation: "query", Entity: "employee", Table: "people", Access: "by-hire", Index: "GSI1"},
		Outcome:       trestle.NoWrite,
	}}, events)
}

// Unprocessed keys are counted in each attempt, even if some remain unprocessed at the end.
func TestUnprocessedKeysAreObserved(t *testing.T) {
	t.Parallel()
	db := ddbtest.Start(t)
	w := newWatch(t, db.Client())
	get := func() error {
		_, err := w.employees.GetMany(t.Context(), []employee{{CompanyID: "c1", ID: "e1"}, {CompanyID: "c1", ID: "e2"}, {CompanyID: "c1", ID: "e3"}})
		return err
	}
	db.Fail(ddbtest.Op("BatchGetItem"), ddbtest.First(1), ddbtest.Unprocessed(2)).MustHit(t)
	events, err := w.of(t, get)
	require.NoError(t, err)
	require.Equal(t, 2, events[0].Unprocessed)
	require.Equal(t, 3, events[0].Items)
	require.Equal(t, 2, events[0].Requests)
}

// The event of a read of several tables has no table name.
func TestReadOfSeveralTablesHasNoTableName(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		client := e.Client(t)
		w := newWatch(t, client)
		other, err := schema.Open(client, "others")
		require.NoError(t, err)
		require.NoError(t, other.Create(t.Context()))
		here, there := query.Ref(w.employees, employee{CompanyID: "c1", ID: "e1"}), query.Ref(employees.In(other), employee{CompanyID: "c1", ID: "e1"})
		for want, refs := range map[string][]query.ItemRef{"people": {here, here}, "": {here, there}} {
			events, err := w.of(t, func() error { _, err := query.GetMany(t.Context(), refs...); return err })
			require.NoError(t, err)
			require.Equal(t, want, events[0].Table)
		}
	})
}
