package entity_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/tx"
)

// A batch writes an item after earlier operations of the batch that are known to write it: to move
// it there, or to take a unique value. The earlier one gets the value.
func TestBatchesKeepTheOrderOfUniqueItems(t *testing.T) {
	t.Parallel()
	eachClub(t, func(t *testing.T, c *club) {
		ctx := t.Context()
		require.NoError(t, c.members.Create(ctx, &member{ID: "a", Email: "a@example.com"}))
		ops := c.members.Op()
		require.NoError(t, entity.WriteMany(ctx, slices.Values([]entity.Operation{
			tx.Move(c.members, member{ID: "a"}, &member{ID: "b", Email: "a@example.com"}),
			ops.Update(member{ID: "b"}, memLogin.Set("login")),
			ops.Update(member{ID: "b"}, memNote.Set("note")),
		})))
		b, err := c.members.Strong().Get(ctx, member{ID: "b"})
		require.NoError(t, err)
		require.Equal(t, "login", b.Login)
		require.Equal(t, "note", b.Note)

		for i := range 10 {
			name := string(rune('A' + i))
			taken := ops.Create(&member{ID: "other" + name, Login: "login" + name})
			err := entity.WriteMany(ctx, slices.Values([]entity.Operation{ops.Update(member{ID: "b"}, memLogin.Set("login"+name)), taken}))
			require.Equal(t, []string{"login"}, trestle.Taken(err))
			require.Equal(t, []entity.Operation{taken}, trestle.Unprocessed[entity.Operation](err))
		}
	})
}

// Writes that leave the unique values and the counts as they are, are single writes. They are
// repeated after a lost reply, if they have no conditions of the caller.
func TestSingleWritesOfUniqueItemsAfterLostReplies(t *testing.T) {
	t.Parallel()
	db := ddbtest.Start(t)
	c := newClub(t, db.Client())
	ctx := t.Context()
	require.NoError(t, c.table.Create(ctx))
	require.NoError(t, c.members.Create(ctx, &member{ID: "a", Email: "a@example.com"}))
	lose := func() {
		db.Fail(ddbtest.Op("UpdateItem", "DeleteItem"), ddbtest.Nth(1), ddbtest.AfterCommit(ddbtest.Reset)).MustHit(t)
	}
	lose()
	_, err := c.members.Update(ctx, member{ID: "a"}, memEmail.Set("a@example.com"))
	require.NoError(t, err)

	b := newBlog(t, db.Client())
	uncounted := star{User: "u", Slot: "1"}
	require.NoError(t, b.stars.Create(ctx, &uncounted))
	lose()
	require.NoError(t, b.stars.Delete(ctx, uncounted))
	require.NoError(t, b.stars.Create(ctx, &uncounted))
	db.Fail(ddbtest.Op("DeleteItem"), ddbtest.Nth(1), ddbtest.AfterCommit(ddbtest.Reset)).MustHit(t)
	requireOutcome(t, b.stars.Delete(ctx, uncounted, starPost.NotExists()), trestle.ErrUnknown, trestle.Unknown)
}
