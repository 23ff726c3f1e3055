package tx_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/internal/testfaults"
	"github.com/trestledb/trestle/query"
	"github.com/trestledb/trestle/tx"
)

// both sends a move alone and as a part of a transaction.
func both(t *testing.T, f func(t *testing.T, s *shop, send func(entity.Operation) error)) {
	t.Helper()
	eachFaultyShop(t, func(t *testing.T, s *shop, _ *testfaults.Transport) {
		f(t, s, func(o entity.Operation) error {
			switch o := o.(type) {
			case *entity.Op[order]:
				_, err := o.Do(t.Context())
				return err
			case *entity.Op[stock]:
				_, err := o.Do(t.Context())
				return err
			default:
				return nil
			}
		})
		f(t, s, func(o entity.Operation) error {
			return tx.Write(t.Context(), s.events.Op().Put(&event{ID: "1"}), o)
		})
	})
}

// A move deletes the old item and stores the new one: with the next version, the old creation time,
// a new update time, and new index keys.
func TestMove(t *testing.T) {
	t.Parallel()
	both(t, func(t *testing.T, s *shop, send func(entity.Operation) error) {
		s.reset(t)
		ctx := t.Context()
		old := *s.storedOrder(t, "1")
		old.Status, old.CreatedAt = "paid", noon.Add(-time.Hour)
		require.NoError(t, s.orders.Put(ctx, &old))
		to := old
		to.ID, to.Status, to.UpdatedAt = "2", "sent", time.Time{}
		require.NoError(t, send(tx.Move(s.orders, old, &to, orderTotal.Eq(0))))
		require.Nil(t, s.storedOrder(t, "1"))
		require.Equal(t, order{
			Customer: "ann", ID: "2", Status: "sent", Version: 3, CreatedAt: noon.Add(-time.Hour), UpdatedAt: noon,
		}, to, "stamped")
		require.Equal(t, &to, s.storedOrder(t, "2"))
		for status, n := range map[string]int{"paid": 0, "sent": 1} {
			list, err := query.On(s.orders, "by-status", order{Status: status}).Collect(ctx)
			require.NoError(t, err)
			require.Len(t, list, n)
		}

		back := order{Customer: "ann", ID: "1", Status: "new"}
		require.NoError(t, send(tx.Move(s.orders, to, &back)))
		require.EqualValues(t, 4, back.Version, "of the old item")
		require.Equal(t, noon, back.CreatedAt, "it was zero")
		unchecked := order{Customer: "ann", ID: "2", Status: "new", Version: 7}
		require.NoError(t, send(tx.Move(s.orders, order{Customer: "ann", ID: "1"}, &unchecked)))
		require.EqualValues(t, 8, unchecked.Version, "an old item without a version is not checked, and the version is that of the new one")
		require.Equal(t, &unchecked, s.storedOrder(t, "2"))

		// An unversioned type.
		require.NoError(t, s.stock.Put(ctx, &stock{SKU: "a", Count: 5}))
		require.NoError(t, s.stock.Delete(ctx, stock{SKU: "b"}))
		require.NoError(t, send(tx.Move(s.stock, stock{SKU: "a"}, &stock{SKU: "b", Count: 5}, count.Eq(5))))
		require.Nil(t, s.storedStock(t, "a"))
		require.Equal(t, &stock{SKU: "b", Count: 5}, s.storedStock(t, "b"))
	})
}

// If a move fails, nothing changes, and no entity is stamped. The error has the key of the item for
// which it failed.
func TestFailedMove(t *testing.T) {
	t.Parallel()
	both(t, func(t *testing.T, s *shop, send func(entity.Operation) error) {
		s.reset(t)
		ctx := t.Context()
		require.NoError(t, s.orders.Create(ctx, &order{Customer: "ann", ID: "2", Status: "taken"}))
		before := s.state(t)
		one := order{Customer: "ann", ID: "1"}
		stale, none := one, one
		stale.Version, none.ID = 2, "none"
		for name, c := range map[string]struct {
			from  order
			to    string
			conds []attr.Cond[order]
			kind  error
			key   order // for which it failed
		}{
			"it exists":       {one, "2", nil, trestle.ErrExists, order{Customer: "ann", ID: "2"}},
			"not found":       {none, "3", nil, trestle.ErrNotFound, none},
			"stale":           {stale, "3", nil, trestle.ErrStale, one},
			"stale, not here": {order{Customer: "ann", ID: "none", Version: 1}, "3", nil, trestle.ErrNotFound, none},
			"a condition":     {one, "3", []attr.Cond[order]{orderTotal.Gt(5)}, trestle.ErrCondition, one},
			"no item":         {none, "3", []attr.Cond[order]{orderTotal.NotExists()}, trestle.ErrNotFound, none},
		} {
			to := order{Customer: "ann", ID: c.to, Status: "moved"}
			copied := to
			err := send(tx.Move(s.orders, c.from, &to, c.conds...))
			requireOutcome(t, err, trestle.NotApplied, c.kind)
			require.Equal(t, before, s.state(t), name)
			require.Nil(t, s.storedOrder(t, "3"))
			require.Equal(t, copied, to, "not stamped")
			e := failureOf(t, err)
			key, err := s.Orders.KeyOf(c.key)
			require.NoError(t, err)
			require.Equal(t, "move", e.Op)
			require.Equal(t, key, e.Key, name)
			met, ok := entity.ItemFromError[order](e)
			require.Equal(t, c.key.ID != "none", ok, name)
			if ok {
				require.Equal(t, c.key.ID, met.ID)
			}
		}
	})
}

// failureOf returns the error of the only operation that failed: the error of a call of that
// operation alone, or the failure of a transaction.
func failureOf(t *testing.T, err error) *trestle.OpError {
	t.Helper()
	if canceled := (*tx.CanceledError)(nil); errors.As(err, &canceled) {
		require.Len(t, canceled.Failures, 1)
		return canceled.Failures[0].Err
	}
	var e *trestle.OpError
	require.ErrorAs(t, err, &e)
	return e
}

// A move that shares its keys with another type replaces no item of that type, and moves none.
func TestMoveOfSharedKeys(t *testing.T) {
	t.Parallel()
	eachFaultyShop(t, func(t *testing.T, s *shop, _ *testfaults.Transport) {
		ctx := t.Context()
		p := newPets(t, s.client)
		require.NoError(t, p.dogs.Put(ctx, &dog{ID: "rex"}))
		require.NoError(t, p.cats.Put(ctx, &cat{ID: "tom"}))
		_, err := tx.Move(p.cats, cat{ID: "rex"}, &cat{ID: "max"}).Do(ctx)
		requireOutcome(t, err, trestle.NotApplied, trestle.ErrNotFound)
		_, err = tx.Move(p.cats, cat{ID: "tom"}, &cat{ID: "rex"}).Do(ctx)
		requireOutcome(t, err, trestle.NotApplied, trestle.ErrExists)
		require.NotNil(t, found(t, p.dogs, dog{ID: "rex"}))
		require.NotNil(t, found(t, p.cats, cat{ID: "tom"}))
	})
}

// For each fault, a move leaves exactly one item: the new one if the move is applied, and otherwise
// the old one.
func TestMoveWithEveryFault(t *testing.T) {
	t.Parallel()
	eachFaultyShop(t, func(t *testing.T, s *shop, f *testfaults.Transport) {
		for _, fault := range testfaults.All() {
			for _, token := range []string{"", fmt.Sprint("move ", fault.Name)} {
				s.reset(t)
				old := *s.storedOrder(t, "1")
				to := order{Customer: "ann", ID: "2", Status: "moved"}
				move := tx.Move(s.orders, old, &to)
				if token != "" {
					move = move.Once(token)
				}
				f.Fault.Store(&fault)
				_, err := move.Do(t.Context())
				require.Nil(t, f.Fault.Load())
				state := s.state(t)
				require.NotEqual(t, state[0] == nil, state[1] == nil, "%s: both items or none", fault.Name)
				if fault.Retried {
					require.NoError(t, err, fault.Name)
					require.Equal(t, &to, state[1])
					continue
				}
				requireOutcome(t, err, trestle.Unknown, trestle.ErrUnknown)
				require.Zero(t, to.Version)
				require.Equal(t, fault.After, state[1] != nil)
				if token != "" {
					_, err := move.Do(t.Context())
					require.NoError(t, err, fault.Name)
					require.NotNil(t, s.storedOrder(t, "2"))
				}
			}
		}
	})
}

// The cost of a move is what Explain estimates: of both items and their index entries.
func TestCostOfMoves(t *testing.T) {
	t.Parallel()
	eachFaultyShop(t, func(t *testing.T, s *shop, _ *testfaults.Transport) {
		ctx := t.Context()
		one := order{Customer: "ann", ID: "1", Status: "new"}
		require.NoError(t, s.orders.Create(ctx, &one))
		to := one
		to.ID = "2"
		move := tx.Move(s.orders, one, &to)
		requireCost(t, s, move, trestle.Assumption{}, 2+2+2)

		require.NoError(t, s.stock.Put(ctx, &stock{SKU: "a", Note: strings.Repeat("x", 3000)}))
		requireCost(t, s, tx.Move(s.stock, stock{SKU: "a"}, &stock{SKU: "b"}), trestle.Assumption{ItemSize: 3072}, 2+6)
		requireCost(t, s, tx.Move(s.stock, stock{SKU: "b"}, &stock{SKU: "a", Note: strings.Repeat("x", 3000)}), trestle.Assumption{ItemSize: 100}, 6+2)
		requireCost(t, s, tx.Move(s.stock, stock{SKU: "a"}, &stock{SKU: "b", Note: strings.Repeat("x", 3000)}), trestle.Assumption{}, 6+6)
	})
}

// requireCost requires that a move costs as many write units as Explain estimates. DynamoDB Local
// reports only one of several actions on a table.
func requireCost[T any](t *testing.T, s *shop, o *entity.Op[T], assume trestle.Assumption, units float64) {
	t.Helper()
	x, err := o.Explain(assume)
	require.NoError(t, err)
	require.Equal(t, trestle.Capacity{Write: units}, x.Units)
	whole, err := tx.NewWrite(o).Explain(assume)
	require.NoError(t, err)
	require.Equal(t, x.Units, whole.Units)
	require.Equal(t, 2, whole.Actions)
	require.Len(t, whole.Conflicts(), 2)
	r, err := o.Do(t.Context())
	require.NoError(t, err)
	if s.engine != engines.DynamoDBLocal {
		require.Equal(t, x.Units, r.Capacity)
	}
}

// The input of a move has a put and a deletion.
func TestInputOfMoves(t *testing.T) {
	t.Parallel()
	s, _ := silentShop(t)
	in, err := tx.Move(s.orders, order{Customer: "ann", ID: "1", Version: 3}, &order{Customer: "ann", ID: "2"}).Input()
	require.NoError(t, err)
	require.Len(t, in.Transaction.TransactItems, 2)
	require.NotNil(t, in.Transaction.TransactItems[0].Put)
	require.NotNil(t, in.Transaction.TransactItems[1].Delete)
	require.NotContains(t, in.Transaction.TransactItems[0].Put.Item, "_w")
}
