package tx_test

import (
	"context"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/internal/testfaults"
	"github.com/trestledb/trestle/tx"
)

// recorder is an observer that checks that each operation has one start and one end, in the context
// of the start.
type recorder struct {
	mu     sync.Mutex
	starts []trestle.OperationInfo
	ends   []trestle.Event
}

type startKey struct{}

func (r *recorder) Start(ctx context.Context, info trestle.OperationInfo) context.Context {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.starts = append(r.starts, info)
	return context.WithValue(ctx, startKey{}, len(r.starts))
}

func (r *recorder) End(ctx context.Context, e trestle.Event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if n, _ := ctx.Value(startKey{}).(int); n == len(r.starts) {
		r.ends = append(r.ends, e)
	}
}

// take returns the event of the only operation since the last call.
func (r *recorder) take(t *testing.T) trestle.Event {
	t.Helper()
	r.mu.Lock()
	defer r.mu.Unlock()
	require.Len(t, r.starts, 1)
	require.Len(t, r.ends, 1)
	e := r.ends[0]
	require.Equal(t, r.starts[0], e.OperationInfo)
	require.Positive(t, e.Duration)
	r.starts, r.ends = nil, nil
	return e
}

// A transaction is one operation, with the name "transaction", the table if it is the only one, the
// items that it read, and the sums of its requests. The observer is that of the first operation.
func TestObserver(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		rec, f := &recorder{}, &testfaults.Transport{}
		s := newShop(t, e.Client(t, f.Install), func(c *entity.Config) { c.Observer = rec })
		s.create(t)
		s.reset(t)
		ctx := t.Context()
		var a, b *stock
		var o *order
		var ev *event
		get := tx.Get(s.stock, stock{SKU: "a"}, &a)
		put := s.events.Op().Put(&event{ID: "1"})
		over := func() entity.Operation { return s.orders.Op().Overwrite(&order{Customer: "ann", ID: "1"}) }
		lost := testfaults.All()[1]
		for _, c := range []struct {
			name                      string
			call                      func() error
			table                     string
			items, requests, attempts int
			outcome                   trestle.Outcome
			capacity                  trestle.Capacity
			fault                     *testfaults.Fault
			local                     bool // DynamoDB Local reports the same capacity
		}{
			{"write", func() error { return tx.Write(ctx, increment(s), put) }, "", 0, 1, 1, trestle.Applied, trestle.Capacity{Write: 4}, nil, true},
			{"write in one table", func() error { return tx.Write(ctx, increment(s), s.stock.Op().Put(&stock{SKU: "b"})) },
				"shop", 0, 1, 1, trestle.Applied, trestle.Capacity{Write: 4}, nil, false},
			{"single write", func() error { return tx.Write(ctx, increment(s)) }, "shop", 0, 1, 1, trestle.Applied, trestle.Capacity{Write: 2}, nil, true},
			{"reads first", func() error {
				return tx.Write(ctx, over(), s.orders.With(entity.ReadFirst()).Op().Update(order{Customer: "ann", ID: "2"}, attr.Add(orderTotal, 1)), put)
			}, "", 0, 3, 3, trestle.Applied, trestle.Capacity{Read: 2, Write: 3 + 4 + 2}, nil, false},
			{"lost reply", func() error { return tx.Write(ctx, increment(s), put) }, "", 0, 1, 2, trestle.Applied, trestle.Capacity{Read: 4}, &lost, false},
			{"canceled", func() error {
				return tx.Write(ctx, increment(s), s.orders.Op().Create(&order{Customer: "ann", ID: "1"}))
			},
				"shop", 0, 1, 1, trestle.NotApplied, trestle.Capacity{}, nil, true},
			{"read", func() error {
				return tx.Read(ctx, get, tx.Get(s.stock, stock{SKU: "none"}, &b), tx.Get(s.orders, order{Customer: "ann", ID: "1"}, &o))
			}, "shop", 2, 1, 1, trestle.NoWrite, trestle.Capacity{Read: 6}, nil, true},
			{"read of two tables", func() error { return tx.Read(ctx, get, get, tx.Get(s.events, event{ID: "1"}, &ev)) },
				"", 2, 1, 1, trestle.NoWrite, trestle.Capacity{Read: 4}, nil, true},
			{"read of one item", func() error { return tx.Read(ctx, get) }, "shop", 1, 1, 1, trestle.NoWrite, trestle.Capacity{Read: 1}, nil, true},
			{"move", func() error { _, err := tx.Move(s.stock, stock{SKU: "b"}, &stock{SKU: "c"}).Do(ctx); return err },
				"shop", 0, 1, 1, trestle.Applied, trestle.Capacity{Write: 4}, nil, false},
		} {
			require.NoError(t, s.orders.Put(ctx, &order{Customer: "ann", ID: "2", Status: "new"}))
			*rec = recorder{}
			f.All.Store(0)
			f.Fault.Store(c.fault)
			err := c.call()
			event := rec.take(t)
			operation := "transaction"
			if c.name == "move" {
				operation = c.name
			}
			require.Equal(t, operation, event.Operation, c.name)
			require.Equal(t, c.table, event.Table, c.name)
			require.Equal(t, c.items, event.Items, c.name)
			require.Equal(t, c.requests, event.Requests, c.name)
			require.Equal(t, c.attempts, event.Attempts, c.name)
			require.EqualValues(t, c.attempts, f.All.Load(), c.name)
			require.Equal(t, c.outcome, event.Outcome, c.name)
			if err == nil {
				require.NoError(t, event.Err, c.name)
			} else {
				require.Equal(t, err, event.Err, c.name)
			}
			if c.local || e.Name != engines.DynamoDBLocal {
				require.Equal(t, c.capacity, event.Capacity, c.name)
			}
			require.NoError(t, s.orders.Delete(ctx, order{Customer: "ann", ID: "2"}))
		}

		// A call that fails before its first request is no operation.
		*rec = recorder{}
		require.Error(t, tx.Write(ctx, nil))
		require.Error(t, tx.Read(ctx, tx.Item{}))
		require.NoError(t, tx.Write(ctx))
		require.Empty(t, rec.starts)

		// The first operation determines the observer.
		silent := newShop(t, s.client)
		require.NoError(t, tx.Write(ctx, silent.stock.Op().Put(&stock{SKU: "x"}), put))
		require.Empty(t, rec.starts)
	})
}

// The reasons of throttled attempts are recorded.
func TestObserverOfThrottling(t *testing.T) {
	t.Parallel()
	rec := &recorder{}
	db := ddbtest.Start(t)
	s := newShop(t, db.Client(), func(c *entity.Config) { c.Observer = rec })
	s.create(t)
	s.reset(t)
	db.Fail(ddbtest.Cancel(1, "ProvisionedThroughputExceeded"), ddbtest.Op("TransactWriteItems"), ddbtest.First(2)).MustHit(t)
	*rec = recorder{}
	require.NoError(t, tx.Write(t.Context(), increment(s), s.events.Op().Put(&event{ID: "1"})))
	e := rec.take(t)
	require.Equal(t, 3, e.Attempts)
	require.Equal(t, 1, e.Requests)
	require.Equal(t, []string{"ProvisionedThroughputExceeded"}, e.Throttled)
}
