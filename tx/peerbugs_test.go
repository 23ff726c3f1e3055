package tx_test

import (
	"fmt"
	"slices"
	"testing"
	"testing/synctest"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/testchecks"
	"github.com/trestledb/trestle/internal/testfaults"
	"github.com/trestledb/trestle/query"
	"github.com/trestledb/trestle/tx"
)

// The tests of this file are for bugs that other libraries have, in writes. Other tests are for
//   - 101 actions that are sent: TestActionLimit;
//   - a stale writer that restores a deleted item: TestStaleWriteDoesNotRecreateADeletedItem of
//     package entity;
//   - a zero time that is written despite omitempty: TestZeroTimeIsOmitted of package codec;
//   - tag typos that nobody notices: TestSuggestions of package tag.

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

// A library set the type attribute only in its Put, so the rows of a transaction or a batch
// vanished from the reads of a collection.
func TestTypeIsStoredOnAllPaths(t *testing.T) {
	t.Parallel()
	eachFaultyShop(t, func(t *testing.T, s *shop, _ *testfaults.Transport) {
		ctx := t.Context()
		old := order{Customer: "ann", ID: "old", Status: "new"}
		require.NoError(t, s.orders.Create(ctx, &old))
		put, moved := old, old
		put.ID, put.Version, moved.ID = "put", 0, "moved"
		require.NoError(t, entity.WriteMany(ctx, slices.Values([]entity.Operation{
			s.orders.Op().Create(&order{Customer: "ann", ID: "batch", Status: "new"}),
			s.orders.Op().Overwrite(&order{Customer: "ann", ID: "batch 2", Status: "new"}),
		})))
		require.NoError(t, s.orders.PutMany(ctx, slices.Values([]*order{{Customer: "ann", ID: "put many", Status: "new"}})))
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
			require.ElementsMatch(t, []string{"batch", "batch 2", "create", "moved", "overwrite", "put", "put many", "upsert"}, ids, name)
		}
		require.NoError(t, testchecks.Items(ctx, s.table, 100))
	})
}

// A library kept the offsets and the decoders of a batch by the table's name: items of the second
// type were skipped, or decoded as the first.
func TestBatchOfSeveralTypes(t *testing.T) {
	t.Parallel()
	eachShop(t, func(t *testing.T, s *shop) {
		var list []entity.Operation
		var keys []query.ItemRef
		var want []any
		for i := range 60 {
			n := fmt.Sprint(i)
			list = append(list, s.stock.Op().Put(&stock{SKU: n, Count: i}), s.orders.Op().Overwrite(&order{Customer: "ann", ID: n, Total: i}), s.events.Op().Put(&event{ID: n, Text: n}))
			keys = append(keys, query.Ref(s.stock, stock{SKU: n}), query.Ref(s.orders, order{Customer: "ann", ID: n}))
			want = append(want, stock{SKU: n, Count: i}, order{Customer: "ann", ID: n, Total: i, Version: 1, CreatedAt: noon, UpdatedAt: noon})
		}
		require.NoError(t, entity.WriteMany(t.Context(), slices.Values(list)))
		items, err := query.GetMany(t.Context(), keys...)
		require.NoError(t, err)
		require.Equal(t, want, items)
		for i := range 60 {
			require.Equal(t, &event{ID: fmt.Sprint(i), Text: fmt.Sprint(i)}, found(t, s.events, event{ID: fmt.Sprint(i)}))
		}
	})
}

// Libraries discarded UnprocessedItems, or dropped a request of 25 items after an error.
func TestBatchDropsNoItem(t *testing.T) {
	t.Parallel()
	for name, options := range map[string][]ddbtest.RuleOption{
		"unprocessed":        {ddbtest.Unprocessed(20), ddbtest.Every(2)},
		"failed requests":    {ddbtest.InternalError, ddbtest.First(3)},
		"throttled requests": {ddbtest.Throttle(), ddbtest.First(3)},
		"lost replies":       {ddbtest.AfterCommit(ddbtest.Reset), ddbtest.First(3)},
		"a rejected request": {ddbtest.Error("AccessDeniedException", "m", 400), ddbtest.Nth(3)},
	} {
		synctest.Test(t, func(t *testing.T) {
			db, s := bubbleShop(t)
			db.Fail(append(options, ddbtest.Op("BatchWriteItem"))...).MustHit(t)
			var list []*event
			for i := range 130 {
				list = append(list, &event{ID: fmt.Sprint(i)})
			}
			err := s.events.PutMany(t.Context(), slices.Values(list))
			db.ClearFaults()
			left := trestle.Unprocessed[*event](err)
			taken := len(list)
			var e *trestle.UnprocessedError
			if name == "a rejected request" { // it stops the batch
				require.ErrorAs(t, err, &e)
				taken = e.Consumed
			} else {
				require.NoError(t, err, name)
			}
			require.Len(t, db.Dump("log"), taken-len(left), name)
			for _, e := range left {
				require.Nil(t, found(t, s.events, event{ID: e.ID}), name)
			}
			require.NoError(t, s.events.PutMany(t.Context(), slices.Values(append(left, list[taken:]...))), name)
			require.Len(t, db.Dump("log"), len(list), name)
		})
	}
}

// Put and Delete of libraries with versions did not check them.
func TestEveryWriteChecksTheVersion(t *testing.T) {
	t.Parallel()
	eachShop(t, func(t *testing.T, s *shop) {
		ctx := t.Context()
		o := order{Customer: "ann", ID: "1", Status: "new"}
		require.NoError(t, s.orders.Create(ctx, &o))
		stale := o
		require.NoError(t, s.orders.Put(ctx, &o))
		again := func() *order { own := stale; return &own }
		moved := stale
		moved.ID = "moved"
		_, updated := s.orders.Update(ctx, stale, orderTotal.Set(1))
		_, upserted := s.orders.Upsert(ctx, stale, orderTotal.Set(1))
		for name, err := range map[string]error{
			"put":         s.orders.Put(ctx, again()),
			"update":      updated,
			"upsert":      upserted,
			"delete":      s.orders.Delete(ctx, stale),
			"put many":    s.orders.PutMany(ctx, slices.Values([]*order{again()})),
			"delete many": s.orders.DeleteMany(ctx, slices.Values([]order{stale})),
			"transaction": tx.Write(ctx, s.orders.Op().Put(again())),
			"move":        tx.Write(ctx, tx.Move(s.orders, stale, &moved)),
		} {
			requireOutcome(t, err, trestle.NotApplied, trestle.ErrStale)
			require.Equal(t, &o, s.storedOrder(t, "1"), name)
		}
		require.Nil(t, s.storedOrder(t, "moved"))
	})
}

// A library's partial update left the index key as it was. ADD wrote the delta into the key, a
// removal left half of it, and a missing value became the text #undefined.
func TestIndexFollowsItsMembers(t *testing.T) {
	t.Parallel()
	eachShop(t, func(t *testing.T, s *shop) {
		ctx := t.Context()
		one := order{Customer: "ann", ID: "1"}
		first := s.orders.With(entity.ReadFirst())
		require.NoError(t, s.orders.Create(ctx, &order{Customer: "ann", ID: "1", Status: "new", Total: 5}))
		check := func(name string) *order {
			t.Helper()
			o := s.storedOrder(t, "1")
			want, err := s.Orders.Encode(o)
			require.NoError(t, err)
			key, err := s.Orders.KeyOf(one)
			require.NoError(t, err)
			out, err := s.client.GetItem(ctx, &dynamodb.GetItemInput{TableName: aws.String("shop"), Key: key, ConsistentRead: aws.Bool(true)})
			require.NoError(t, err)
			for _, attribute := range []string{"GSI1PK", "GSI1SK"} {
				require.Equal(t, want[attribute], out.Item[attribute], "%s: %s", name, attribute)
			}
			require.NoError(t, testchecks.Items(ctx, s.table, 100), name)
			return o
		}
		// The other members of the index key are not known, so the update is not sent.
		_, err := s.orders.Update(ctx, one, orderStatus.Set("paid"))
		requireOutcome(t, err, trestle.NotApplied, trestle.ErrInvalid)
		_, err = s.orders.Update(ctx, one, attr.Add(orderTotal, 1))
		requireOutcome(t, err, trestle.NotApplied, trestle.ErrInvalid)

		_, err = first.Update(ctx, one, orderStatus.Set("paid"))
		require.NoError(t, err)
		require.Equal(t, "paid", check("set").Status)
		_, err = first.Update(ctx, one, attr.Add(orderTotal, 1))
		require.NoError(t, err)
		require.Equal(t, 6, check("add").Total)
		_, err = s.orders.Update(ctx, one, orderStatus.Set("sent"), orderTotal.Set(7))
		require.NoError(t, err)
		require.Equal(t, 7, check("both").Total)
		for name, repo := range map[string]*entity.Repo[order]{"removed": s.orders, "removed, reading first": first} {
			if _, err := repo.Update(ctx, one, orderStatus.Remove()); err != nil {
				require.ErrorIs(t, err, trestle.ErrInvalid, name)
			}
			check(name)
		}
	})
}

// A library joined the parts of a key without escaping them, or in lower case, so that different
// items had one key, and one replaced the other.
func TestSimilarKeysAreDifferentItems(t *testing.T) {
	t.Parallel()
	eachShop(t, func(t *testing.T, s *shop) {
		ctx := t.Context()
		keys := []order{
			{Customer: "1#b_2", ID: "3"}, {Customer: "1", ID: "2#b_3"}, {Customer: "1#ORDER#2", ID: "3"}, {Customer: "1", ID: "2#ORDER#3"}, {Customer: "1", ID: "2"},
			{Customer: "a", ID: "x"}, {Customer: "A", ID: "x"}, {Customer: "a", ID: "X"}, {Customer: "a%", ID: "x"}, {Customer: "a%25", ID: "x"}, {Customer: "${a}", ID: "<x>"},
		}
		for i, o := range keys {
			o.Total = i
			require.NoError(t, s.orders.Create(ctx, &o), "%d exists already", i)
		}
		for i, o := range keys {
			stored, err := s.orders.Strong().Get(ctx, o)
			require.NoError(t, err)
			require.Equal(t, i, stored.Total)
			list, err := query.Of(s.orders.Strong(), order{Customer: o.Customer}).Collect(ctx)
			require.NoError(t, err)
			for _, other := range list {
				require.Equal(t, o.Customer, other.Customer)
			}
		}
	})
}
