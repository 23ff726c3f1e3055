package tx_test

import (
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/internal/testfaults"
	"github.com/trestledb/trestle/query"
	"github.com/trestledb/trestle/tx"
)

// The tests of this file are for bugs that other libraries have. The bug that 101 actions are sent
// is tested in TestActionLimit.

// A library took the code None for a failure: it reported the wrong operation, and never retried a
// conflict.
func TestNoneIsNoFailure(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		db, s := bubbleShop(t)
		again := order{Customer: "ann", ID: "1"}
		err := tx.Write(t.Context(), increment(s), s.stock.Op().Put(&stock{SKU: "b"}), s.orders.Op().Create(&again), s.events.Op().Put(&event{ID: "1"}))
		var canceled *tx.CanceledError
		require.ErrorAs(t, err, &canceled)
		require.Len(t, canceled.Failures, 1)
		require.Equal(t, 2, canceled.Failures[0].Operation)
		require.Equal(t, "ConditionalCheckFailed", canceled.Failures[0].Code)
		requireOutcome(t, err, trestle.NotApplied, trestle.ErrExists)

		conflict := db.Fail(ddbtest.Cancel(2, "TransactionConflict"), ddbtest.Op("TransactWriteItems"), ddbtest.First(4))
		require.NoError(t, tx.Write(t.Context(), increment(s), s.stock.Op().Put(&stock{SKU: "b"}), s.events.Op().Put(&event{ID: "1"})))
		require.Equal(t, 4, conflict.Hits())
		require.Equal(t, 1, s.storedStock(t, "a").Count)
	})
}

// The SDK sets a token in the caller's struct, so a struct that is sent again is silently not
// applied for ten minutes. A transaction of the library can be sent again, and its input has no
// token.
func TestSendingAgainAppliesAgain(t *testing.T) {
	t.Parallel()
	eachFaultyShop(t, func(t *testing.T, s *shop, _ *testfaults.Transport) {
		s.reset(t)
		w := tx.NewWrite(increment(s), s.events.Op().Put(&event{ID: "1"}))
		for i := range 3 {
			_, err := w.Do(t.Context())
			require.NoError(t, err)
			require.Equal(t, i+1, s.storedStock(t, "a").Count)
		}
		for i := range 2 {
			in, err := w.Input()
			require.NoError(t, err)
			require.Nil(t, in.ClientRequestToken)
			_, err = s.client.TransactWriteItems(t.Context(), in)
			require.NoError(t, err)
			require.NotNil(t, in.ClientRequestToken, "the SDK's token")
			require.Equal(t, i+4, s.storedStock(t, "a").Count, "each input is a new one")
			_, err = s.client.TransactWriteItems(t.Context(), in)
			require.NoError(t, err)
			require.Equal(t, i+4, s.storedStock(t, "a").Count, "the control: the same input is not applied again")
		}
		once := w.Once("token")
		for range 3 {
			_, err := once.Do(t.Context())
			require.NoError(t, err)
			require.Equal(t, 6, s.storedStock(t, "a").Count)
		}
		in, err := once.Input()
		require.NoError(t, err)
		require.Equal(t, "token", *in.ClientRequestToken)
	})
}

// A library set the type attribute only in its Put, so the rows of a transaction vanished from the
// reads of a collection.
func TestTypeIsStoredOnAllPaths(t *testing.T) {
	t.Parallel()
	eachFaultyShop(t, func(t *testing.T, s *shop, _ *testfaults.Transport) {
		ctx := t.Context()
		old := order{Customer: "ann", ID: "old", Status: "new"}
		require.NoError(t, s.orders.Create(ctx, &old))
		put, moved := old, old
		put.ID, put.Version, moved.ID = "put", 0, "moved"
		require.NoError(t, tx.Write(ctx,
			s.orders.Op().Create(&order{Customer: "ann", ID: "create", Status: "new"}),
			s.orders.Op().Put(&put),
			s.orders.Op().Overwrite(&order{Customer: "ann", ID: "overwrite", Status: "new"}),
			s.orders.Op().Upsert(order{Customer: "ann", ID: "upsert"}, orderStatus.Set("new"), orderTotal.Set(3)),
			tx.Move(s.orders, old, &moved),
		))
		for name, read := range map[string]func() ([]order, error){
			"query": func() ([]order, error) { return query.Of(s.orders.Strong(), order{Customer: "ann"}).Collect(ctx) },
			"index": func() ([]order, error) { return query.On(s.orders, "by-status", order{Status: "new"}).Collect(ctx) },
			"scan": func() (list []order, err error) {
				for o, err := range query.Scan(s.orders).All(ctx) {
					if err != nil {
						return nil, err
					}
					list = append(list, o)
				}
				return list, nil
			},
		} {
			list, err := read()
			require.NoError(t, err)
			var ids []string
			for _, o := range list {
				ids = append(ids, o.ID)
				require.Equal(t, noon, o.UpdatedAt)
				require.Equal(t, noon, o.CreatedAt)
				require.Positive(t, o.Version)
			}
			require.ElementsMatch(t, []string{"create", "moved", "overwrite", "put", "upsert"}, ids, name)
		}
		require.NoError(t, s.table.CheckItems(ctx, 100))
	})
}
