package tx_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/tx"
)

// A transaction does what its operations do alone, in two tables.
func TestWriteAppliesEveryVerb(t *testing.T) {
	t.Parallel()
	eachShop(t, func(t *testing.T, s *shop) {
		ctx := t.Context()
		old := order{Customer: "ann", ID: "1", Status: "open"}
		require.NoError(t, s.orders.Create(ctx, &old))
		over := order{Customer: "ann", ID: "2", Status: "open"}
		require.NoError(t, s.orders.Create(ctx, &over))
		require.NoError(t, s.stock.Put(ctx, &stock{SKU: "a", Count: 3}))
		require.NoError(t, s.stock.Put(ctx, &stock{SKU: "b", Count: 3}))
		require.NoError(t, s.stock.Put(ctx, &stock{SKU: "c", Count: 3}))

		created := order{Customer: "ann", ID: "3", Status: "new"}
		old.Status = "paid"
		over = order{Customer: "ann", ID: "2", Status: "lost"}
		r, err := tx.NewWrite(
			s.orders.Op().Create(&created),
			s.orders.Op().Put(&old),
			s.orders.Op().Overwrite(&over),
			s.stock.Op().Update(stock{SKU: "a"}, attr.Add(count, -1), attr.If(count.Ge(1))),
			s.stock.Op().Delete(stock{SKU: "b"}, count.Eq(3)),
			s.stock.Op().Check(stock{SKU: "c"}, count.Eq(3)),
			s.stock.Op().Upsert(stock{SKU: "d"}, count.Set(7)),
			s.events.Op().Put(&event{ID: "1", Text: "sold"}),
		).Do(ctx)
		require.NoError(t, err)
		require.Positive(t, r.Capacity.Write)

		for _, want := range []order{created, old, over} {
			got, err := s.orders.Strong().Get(ctx, order{Customer: "ann", ID: want.ID})
			require.NoError(t, err)
			require.Equal(t, want, got)
			require.Equal(t, noon, got.UpdatedAt)
		}
		require.EqualValues(t, 1, created.Version)
		require.EqualValues(t, 2, old.Version)
		require.EqualValues(t, 2, over.Version)
		for sku, want := range map[string]int{"a": 2, "c": 3, "d": 7} {
			got, err := s.stock.Strong().Get(ctx, stock{SKU: sku})
			require.NoError(t, err)
			require.Equal(t, want, got.Count)
		}
		_, err = s.stock.Strong().Get(ctx, stock{SKU: "b"})
		require.ErrorIs(t, err, trestle.ErrNotFound)
		e, err := s.events.Strong().Get(ctx, event{ID: "1"})
		require.NoError(t, err)
		require.Equal(t, "sold", e.Text)
	})
}

// Each operation that fails has an error of its own, with one sentinel error, its entity, its key
// and the item that it met. Nothing is applied, and no entity is stamped.
func TestCanceledOperations(t *testing.T) {
	t.Parallel()
	eachShop(t, func(t *testing.T, s *shop) {
		ctx := t.Context()
		first := order{Customer: "ann", ID: "1", Status: "open", Total: 5}
		require.NoError(t, s.orders.Create(ctx, &first))
		require.NoError(t, s.stock.Put(ctx, &stock{SKU: "a", Count: 3}))
		again, stale := order{Customer: "ann", ID: "1"}, order{Customer: "ann", ID: "9", Version: 4}
		err := tx.Write(ctx,
			s.stock.Op().Put(&stock{SKU: "z"}),
			s.orders.Op().Create(&again),
			s.orders.Op().Put(&stale),
			s.stock.Op().Update(stock{SKU: "a"}, attr.Add(count, -5), attr.If(count.Ge(5))),
			s.stock.Op().Update(stock{SKU: "none"}, count.Set(1)),
		)
		require.Equal(t, trestle.NotApplied, trestle.OutcomeOf(err))
		var canceled *tx.CanceledError
		require.ErrorAs(t, err, &canceled)
		require.Len(t, canceled.Failures, 4)
		for i, want := range []struct {
			kind   error
			entity string
		}{{trestle.ErrExists, "order"}, {trestle.ErrStale, "order"}, {trestle.ErrCondition, "stock"}, {trestle.ErrNotFound, "stock"}} {
			f := canceled.Failures[i]
			require.Equal(t, i+1, f.Operation)
			require.Equal(t, want.kind, f.Err.Kind)
			require.Equal(t, want.entity, f.Err.Entity)
			require.Len(t, f.Err.Key, 2)
			require.ErrorIs(t, err, want.kind)
		}
		met, found := entity.ItemFromError[order](canceled.Failures[0].Err)
		require.True(t, found)
		require.Equal(t, 5, met.Total)
		low, found := entity.ItemFromError[stock](err)
		require.True(t, found, "the first item of the type")
		require.Equal(t, 3, low.Count)
		require.Zero(t, again.Version)
		_, err = s.stock.Strong().Get(ctx, stock{SKU: "z"})
		require.ErrorIs(t, err, trestle.ErrNotFound)
	})
}
