package tx_test

import (
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/internal/testchecks"
	"github.com/trestledb/trestle/internal/testfaults"
	"github.com/trestledb/trestle/maintain"
	"github.com/trestledb/trestle/tx"
)

// hotel is a world with its repositories.
type hotel struct {
	*expirableWorld
	rooms  *entity.Repo[room]
	halls  *entity.Repo[hall]
	guests *entity.Repo[guest]
	passes *entity.Repo[pass]
	cards  *entity.Repo[card]
}

func newHotel(t *testing.T, e engines.Engine) *hotel {
	t.Helper()
	w := newExpirableWorld(t, e, false)
	return &hotel{
		w, w.types["room"].(*expirableOps[room]).repo, w.types["hall"].(*expirableOps[hall]).repo, w.types["guest"].(*expirableOps[guest]).repo,
		w.types["pass"].(*expirableOps[pass]).repo, w.types["card"].(*expirableOps[card]).repo,
	}
}

var (
	passN     = attr.Must(func(p *pass) *int { return &p.N })
	passCode  = attr.Must(func(p *pass) *string { return &p.Code })
	cardN     = attr.Must(func(c *card) *int { return &c.N })
	guestN    = attr.Must(func(g *guest) *int { return &g.N })
	guestCode = attr.Must(func(g *guest) *string { return &g.Code })
	guestRoom = attr.Must(func(g *guest) *string { return &g.Room })
)

// eachHotel runs f on every engine. soon is the time to live of items that have expired after
// h.minute.
func eachHotel(t *testing.T, f func(t *testing.T, h *hotel, soon int64)) {
	t.Helper()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		h := newHotel(t, e)
		f(t, h, h.time.Unix()+60)
	})
}

// minute lets a minute pass.
func (h *hotel) minute() { h.time = h.time.Add(time.Minute) }

// An upsert that meets an expired item is planned as for no item: it does not keep the unique value
// and the version of that item.
func TestUpsertInATransactionBeginsAnew(t *testing.T) {
	t.Parallel()
	eachHotel(t, func(t *testing.T, h *hotel, soon int64) {
		ctx := t.Context()
		require.NoError(t, h.cards.Create(ctx, &card{ID: "a", Code: "x", N: 7, Expires: soon}))
		_, err := h.cards.Update(ctx, card{ID: "a"}, cardN.Set(8))
		require.NoError(t, err)
		h.minute()
		require.NoError(t, tx.Write(ctx, h.cards.Op().Upsert(card{ID: "a"}, cardN.Set(1)), h.cards.Op().Create(&card{ID: "b", Code: "x"})))
		got, err := h.cards.Get(ctx, card{ID: "a"})
		require.NoError(t, err)
		require.Equal(t, card{ID: "a", N: 1, Version: 1}, got)
	})
}

// A unique value that an expired item had plays no part in a transaction that writes both that item
// and the one that has the value now.
func TestUniqueValueOfAnExpiredItemIsForgotten(t *testing.T) {
	t.Parallel()
	for name, write := range map[string]func(h *hotel) entity.Operation{
		"put":       func(h *hotel) entity.Operation { return h.passes.Op().Put(&pass{ID: "a", Code: "z"}) },
		"overwrite": func(h *hotel) entity.Operation { return h.passes.Op().Overwrite(&pass{ID: "a", Code: "z"}) },
		"upsert":    func(h *hotel) entity.Operation { return h.passes.Op().Upsert(pass{ID: "a"}, passCode.Set("z")) },
		"delete":    func(h *hotel) entity.Operation { return h.passes.Op().Delete(pass{ID: "a"}) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			eachHotel(t, func(t *testing.T, h *hotel, soon int64) {
				ctx := t.Context()
				require.NoError(t, h.passes.Create(ctx, &pass{ID: "a", Code: "x", Expires: soon}))
				h.minute()
				require.NoError(t, h.passes.Create(ctx, &pass{ID: "b", Code: "x"}))
				require.NoError(t, tx.Write(ctx, write(h), h.passes.Op().Update(pass{ID: "b"}, passCode.Set("y"))))
				require.NoError(t, h.passes.Create(ctx, &pass{ID: "c", Code: "x"}), "both have given it up")
				require.ErrorIs(t, h.passes.Create(ctx, &pass{ID: "d", Code: "y"}), trestle.ErrTaken, "it is that of b")
			})
		})
	}
}

// An expired item that counts others counts nothing: it is overwritten as if it did not exist, and
// its next version is the first.
func TestOverwriteOfAnExpiredCountingItem(t *testing.T) {
	t.Parallel()
	eachHotel(t, func(t *testing.T, h *hotel, soon int64) {
		ctx := t.Context()
		require.NoError(t, h.rooms.Create(ctx, &room{ID: "a", Expires: soon}))
		require.NoError(t, h.halls.Create(ctx, &hall{ID: "a", Expires: soon}))
		require.NoError(t, h.guests.Create(ctx, &guest{ID: "a", Room: "a", Hall: "a"}))
		require.ErrorIs(t, h.halls.Overwrite(ctx, &hall{ID: "a", Expires: soon}), trestle.ErrStale, "the negative control: it counts a guest")
		h.minute()
		require.ErrorIs(t, h.halls.Overwrite(ctx, &hall{ID: "a", Guests: 1}), trestle.ErrStale, "no hall counts no guest")
		require.NoError(t, h.halls.Overwrite(ctx, &hall{ID: "a"}))
		r := room{ID: "a"}
		require.NoError(t, tx.Write(ctx, h.rooms.Op().Overwrite(&r), h.guests.Op().Create(&guest{ID: "b", Room: "a", Hall: "a"})))
		got, err := h.rooms.Get(ctx, room{ID: "a"})
		require.NoError(t, err)
		require.Equal(t, room{ID: "a", Guests: 1, Version: 1}, got)
		require.Equal(t, got, r)
	})
}

// No item is counted by an expired one: a new one cannot be created, and one that was counted is
// deleted without it. The checks of counts ignore it.
func TestExpiredCountingItemCountsNothing(t *testing.T) {
	t.Parallel()
	eachHotel(t, func(t *testing.T, h *hotel, soon int64) {
		ctx := t.Context()
		require.NoError(t, h.rooms.Create(ctx, &room{ID: "a", Expires: soon}))
		for _, id := range []string{"a", "b"} {
			require.NoError(t, h.guests.Create(ctx, &guest{ID: id, Room: "a"}))
		}
		h.minute()
		require.ErrorIs(t, h.guests.Create(ctx, &guest{ID: "c", Room: "a"}), trestle.ErrNotFound)
		_, err := h.guests.Upsert(ctx, guest{ID: "c"}, guestRoom.Set("a"))
		require.ErrorIs(t, err, trestle.ErrNotFound)
		require.NoError(t, h.guests.Delete(ctx, guest{ID: "a"}))
		require.NoError(t, tx.Write(ctx, h.guests.Op().Update(guest{ID: "b"}, guestRoom.Set("")), h.passes.Op().Put(&pass{ID: "a"})))
		got, err := h.rooms.With(entity.ShowExpired()).Get(ctx, room{ID: "a"})
		require.NoError(t, err)
		require.Equal(t, room{ID: "a", Guests: 2, Version: 3, Expires: soon}, got, "nothing has written it")
		require.NoError(t, testchecks.Counts(ctx, h.table))
		report, err := maintain.RepairCounts(ctx, h.table, maintain.Run{})
		require.NoError(t, err)
		require.Zero(t, report.Corrected)

		require.NoError(t, h.guests.With(entity.ShowExpired()).Create(ctx, &guest{ID: "c", Room: "a"}), "the room exists if expired items do")
	})
}

// If an operation of a transaction fails, no expired item is deleted for the others, and no
// operation that only met one is listed. A condition that does not hold without an item has failed,
// although there is an expired one.
func TestFailedTransactionDeletesNoExpiredItem(t *testing.T) {
	t.Parallel()
	eachHotel(t, func(t *testing.T, h *hotel, soon int64) {
		ctx := t.Context()
		require.NoError(t, h.passes.Create(ctx, &pass{ID: "a", Code: "x", N: 7, Expires: soon}))
		require.NoError(t, h.passes.Create(ctx, &pass{ID: "b"}))
		h.minute()
		err := tx.Write(ctx, h.passes.Op().Upsert(pass{ID: "a"}, passN.Set(1)), h.passes.Op().Create(&pass{ID: "b"}))
		failed, sent := failuresOf(t, err)
		require.True(t, sent)
		require.Equal(t, map[int]error{1: trestle.ErrExists}, failed)
		err = tx.Write(ctx, h.passes.Op().Upsert(pass{ID: "a"}, passN.Set(1), attr.If(passN.Eq(7))), h.passes.Op().Create(&pass{ID: "b"}))
		failed, _ = failuresOf(t, err)
		require.Equal(t, map[int]error{0: trestle.ErrCondition, 1: trestle.ErrExists}, failed)
		require.ErrorIs(t, h.passes.Put(ctx, &pass{ID: "a"}, passN.Eq(7)), trestle.ErrCondition)
		got, err := h.passes.With(entity.ShowExpired()).Get(ctx, pass{ID: "a"})
		require.NoError(t, err)
		require.Equal(t, pass{ID: "a", Code: "x", N: 7, Expires: soon}, got)
		require.NoError(t, tx.Write(ctx, h.passes.Op().Upsert(pass{ID: "a"}, passN.Set(1)), h.passes.Op().Create(&pass{ID: "c"})))
	})
}

// If the deletion of an expired item fails, the write is not applied, whether the item was deleted
// or not: the error does not ask for a repetition with the token.
func TestFailedDeletionOfAnExpiredItemIsNotUnknown(t *testing.T) {
	t.Parallel()
	eachHotel(t, func(t *testing.T, h *hotel, soon int64) {
		ctx := t.Context()
		for _, fate := range []testfaults.Fate{testfaults.Drop, testfaults.Lose} {
			s := entity.NewSchema(entity.Config{Indexes: []entity.IndexConfig{{Name: "GSI1"}}, Clock: func() time.Time { return h.time }})
			passes := entity.Define[pass](s)
			wire := &testfaults.Wire{Decide: func(_ int, operation string) testfaults.Fate {
				if operation == "DeleteItem" {
					return fate
				}
				return testfaults.Pass
			}}
			table, err := s.Open(wire.Client(h.client, 1), "hotel")
			require.NoError(t, err)
			for name, send := range map[string]func(o *entity.Op[pass]) error{
				"alone":     func(o *entity.Op[pass]) error { _, err := o.Do(ctx); return err },
				"Once":      func(o *entity.Op[pass]) error { _, err := o.Once("alone").Do(ctx); return err },
				"WriteOnce": func(o *entity.Op[pass]) error { return tx.WriteOnce(ctx, "token", o) },
			} {
				require.NoError(t, h.passes.Overwrite(ctx, &pass{ID: "a", Expires: soon}))
				h.minute()
				soon += 60
				err := send(passes.In(table).Op().Upsert(pass{ID: "a"}, passN.Set(1)))
				var e *trestle.OpError
				require.ErrorAs(t, err, &e)
				require.Equal(t, trestle.NotApplied, e.Outcome, name)
				require.NotErrorIs(t, err, trestle.ErrUnknown, name)
				require.Empty(t, e.Hint, name)
				found, err := h.passes.With(entity.ShowExpired()).Get(ctx, pass{ID: "a"})
				if fate == testfaults.Lose {
					require.ErrorIs(t, err, trestle.ErrNotFound)
					continue
				}
				require.NoError(t, err)
				require.Zero(t, found.N)
			}
		}
	})
}

// A transaction is not applied if it cannot be planned again after an expired item was deleted for
// it.
func TestDeletedExpiredItemAppliesNothing(t *testing.T) {
	t.Parallel()
	eachHotel(t, func(t *testing.T, h *hotel, soon int64) {
		ctx := t.Context()
		require.NoError(t, h.passes.Create(ctx, &pass{ID: "a", Expires: soon}))
		require.NoError(t, h.guests.Create(ctx, &guest{ID: "a", Code: "x"}))
		h.minute()
		h.transport.before = func() { // another program stores what cannot be decoded
			_, err := h.client.UpdateItem(ctx, &dynamodb.UpdateItemInput{
				TableName: aws.String("hotel"), UpdateExpression: aws.String("SET code = :c"),
				Key:                       map[string]types.AttributeValue{"PK": &types.AttributeValueMemberS{Value: "GUEST#a"}, "SK": &types.AttributeValueMemberS{Value: "GUEST"}},
				ExpressionAttributeValues: map[string]types.AttributeValue{":c": &types.AttributeValueMemberBOOL{Value: true}},
			})
			require.NoError(t, err)
		}
		err := tx.Write(ctx, h.passes.Op().Upsert(pass{ID: "a"}, passN.Set(1)), h.guests.Op().Update(guest{ID: "a"}, guestCode.Set("z")))
		require.Nil(t, h.transport.before)
		require.Error(t, err)
		require.Equal(t, trestle.NotApplied, trestle.OutcomeOf(err))
		_, err = h.passes.With(entity.ShowExpired()).Get(ctx, pass{ID: "a"})
		require.ErrorIs(t, err, trestle.ErrNotFound, "it was deleted for the transaction")
	})
}

// A canceled transaction does not list an operation that would only have been planned again,
// because another writer changed its item.
func TestCanceledTransactionListsNoInnocentOperation(t *testing.T) {
	t.Parallel()
	eachHotel(t, func(t *testing.T, h *hotel, _ int64) {
		ctx := t.Context()
		require.NoError(t, h.guests.Create(ctx, &guest{ID: "a", Code: "x"}))
		require.NoError(t, h.passes.Create(ctx, &pass{ID: "b"}))
		h.transport.before = func() {
			_, err := h.guests.Update(ctx, guest{ID: "a"}, guestCode.Set("y"))
			require.NoError(t, err)
		}
		err := tx.Write(ctx, h.guests.Op().Update(guest{ID: "a"}, guestCode.Set("z")), h.passes.Op().Create(&pass{ID: "b"}))
		require.Nil(t, h.transport.before)
		require.ErrorIs(t, err, trestle.ErrExists)
		require.NotErrorIs(t, err, trestle.ErrCondition)
		failed, _ := failuresOf(t, err)
		require.Equal(t, map[int]error{1: trestle.ErrExists}, failed)

		// The condition of the caller is false too, so it has failed.
		h.transport.before = func() {
			_, err := h.guests.Update(ctx, guest{ID: "a"}, guestCode.Set("x"), guestN.Set(1))
			require.NoError(t, err)
		}
		err = tx.Write(ctx, h.guests.Op().Update(guest{ID: "a"}, guestCode.Set("z"), attr.If(guestN.Eq(0))), h.passes.Op().Create(&pass{ID: "b"}))
		failed, _ = failuresOf(t, err)
		require.Equal(t, map[int]error{0: trestle.ErrCondition, 1: trestle.ErrExists}, failed)
	})
}

// A unique value that another operation of the transaction gives up is not taken, although another
// writer has only now given it to that item.
func TestUniqueValueOfAChangedItemIsPlannedAgain(t *testing.T) {
	t.Parallel()
	eachHotel(t, func(t *testing.T, h *hotel, _ int64) {
		ctx := t.Context()
		require.NoError(t, h.guests.Create(ctx, &guest{ID: "a", Code: "x"}))
		h.transport.before = func() {
			_, err := h.guests.Update(ctx, guest{ID: "a"}, guestCode.Set("y"))
			require.NoError(t, err)
		}
		require.NoError(t, tx.Write(ctx, h.guests.Op().Update(guest{ID: "a"}, guestCode.Set("z")), h.guests.Op().Create(&guest{ID: "b", Code: "y"})))
		require.Nil(t, h.transport.before)
		require.ErrorIs(t, h.guests.Create(ctx, &guest{ID: "c", Code: "y"}), trestle.ErrTaken)
	})
}

// An operation that has failed in any case, and whose item another writer has changed, is planned
// again if another operation depends on it: that one has not failed if the item gives up its value.
func TestFailedOperationOfAChangedItemIsPlannedAgain(t *testing.T) {
	t.Parallel()
	eachHotel(t, func(t *testing.T, h *hotel, _ int64) {
		ctx := t.Context()
		require.NoError(t, h.guests.Create(ctx, &guest{ID: "a", Code: "x"}))
		h.transport.before = func() {
			_, err := h.guests.Update(ctx, guest{ID: "a"}, guestCode.Set("y"), guestN.Set(1))
			require.NoError(t, err)
		}
		err := tx.Write(ctx, h.guests.Op().Update(guest{ID: "a"}, guestCode.Set("z"), attr.If(guestN.Eq(0))), h.guests.Op().Create(&guest{ID: "b", Code: "y"}))
		require.Nil(t, h.transport.before)
		failed, sent := failuresOf(t, err)
		require.True(t, sent)
		require.Equal(t, map[int]error{0: trestle.ErrCondition}, failed)
	})
}

// Each operation whose item would be counted by an item that does not exist has failed.
func TestEveryOperationWithoutItsCountingItemIsListed(t *testing.T) {
	t.Parallel()
	eachHotel(t, func(t *testing.T, h *hotel, _ int64) {
		ctx := t.Context()
		require.NoError(t, h.rooms.Create(ctx, &room{ID: "b"}))
		require.NoError(t, h.guests.Create(ctx, &guest{ID: "c", Room: "b"}))
		require.NoError(t, h.rooms.Delete(ctx, room{ID: "b"}))
		err := tx.Write(ctx,
			h.guests.Op().Delete(guest{ID: "c"}), h.guests.Op().Create(&guest{ID: "a", Room: "b"}),
			h.passes.Op().Put(&pass{ID: "a"}), h.guests.Op().Create(&guest{ID: "b", Room: "b"}))
		failed, _ := failuresOf(t, err)
		require.Equal(t, map[int]error{1: trestle.ErrNotFound, 3: trestle.ErrNotFound}, failed)
	})
}

// An operation that could not be planned from the current item is listed if nothing else failed and
// the attempts are used up.
func TestUsedUpAttemptsListUndecidedOperations(t *testing.T) {
	t.Parallel()
	eachHotel(t, func(t *testing.T, h *hotel, _ int64) {
		ctx, n := t.Context(), 0
		require.NoError(t, h.guests.Create(ctx, &guest{ID: "a", Code: "x"}))
		var change func()
		change = func() {
			n++
			_, err := h.guests.Update(ctx, guest{ID: "a"}, guestCode.Set("x"+string(rune('a'+n))))
			require.NoError(t, err)
			h.transport.before = change
		}
		h.transport.before = change
		err := tx.Write(ctx, h.guests.Op().Update(guest{ID: "a"}, guestCode.Set("z")), h.passes.Op().Create(&pass{ID: "b"}))
		failed, _ := failuresOf(t, err)
		require.Equal(t, map[int]error{0: trestle.ErrCondition}, failed)
		require.Equal(t, 8, n)
		require.Equal(t, trestle.NotApplied, trestle.OutcomeOf(err))
	})
}
