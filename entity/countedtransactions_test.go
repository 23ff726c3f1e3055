package entity_test

import (
	"errors"
	"fmt"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/tx"
)

// withPost stores a post with stars, and returns operations that delete them.
func (b *blog) withPost(t *testing.T, id string, stars int) (deletes []entity.Operation) {
	t.Helper()
	require.NoError(t, b.posts.Create(t.Context(), &post{ID: id}))
	for i := range stars {
		s := star{User: "fan of " + id, Slot: strconv.Itoa(i), Post: id}
		require.NoError(t, b.stars.Create(t.Context(), &s))
		deletes = append(deletes, b.stars.Op().Delete(s))
	}
	return deletes
}

// withoutPost is withPost, and deletes the post.
func (b *blog) withoutPost(t *testing.T, id string, stars int) []entity.Operation {
	t.Helper()
	deletes := b.withPost(t, id, stars)
	require.NoError(t, b.posts.Delete(t.Context(), post{ID: id}))
	return deletes
}

// An operation on the counting item that requires nothing of it also changes the count.
func TestCountsWithUpserts(t *testing.T) {
	t.Parallel()
	eachBlog(t, func(t *testing.T, b *blog) {
		ctx := t.Context()
		one := b.withPost(t, "p", 1)
		upsert := func(id string) entity.Operation { return b.posts.Op().Upsert(post{ID: id}, postTitle.Set("x")) }
		require.NoError(t, tx.Write(ctx, upsert("p"), one[0]))
		require.Zero(t, b.post(t, "p").Stars)
		require.NoError(t, tx.Write(ctx, upsert("new"), b.stars.Op().Create(&star{User: "u", Slot: "1", Post: "new"})))
		require.Equal(t, 1, b.post(t, "new").Stars)

		_, err := b.posts.Upsert(ctx, post{ID: "alone"}, postTitle.Set("x"))
		require.NoError(t, err)
		require.NoError(t, b.posts.Create(ctx, &post{ID: "created"}))
		for _, id := range []string{"alone", "created"} {
			for n := range 3 { // a limit is a condition on the stored count, which an absent one does not meet
				star := b.stars.Op().Create(&star{User: id, Slot: strconv.Itoa(n), Post: id})
				err := tx.Write(ctx, star, b.posts.Op().Check(post{ID: id}, postStars.Lt(2)))
				require.Equal(t, n == 2, errors.Is(err, trestle.ErrCondition), err)
			}
		}
		require.NoError(t, tx.Write(ctx, upsert("alone")))
		require.Equal(t, 2, b.post(t, "alone").Stars)

		gone := b.withoutPost(t, "q", 1)
		require.NoError(t, tx.Write(ctx, upsert("q"), gone[0], b.stars.Op().Create(&star{User: "u", Slot: "2", Post: "q"})))
		require.Equal(t, 1, b.post(t, "q").Stars, "the deleted star was counted by no post")
		gone = b.withoutPost(t, "r", 2)
		r := post{ID: "r"}
		require.NoError(t, tx.Write(ctx, b.posts.Op().Create(&r), gone[0], b.stars.Op().Create(&star{User: "u", Slot: "3", Post: "r"})))
		require.Equal(t, 1, r.Stars)
		require.Equal(t, 1, b.post(t, "r").Stars)
	})
}

// Items of a deleted counting item can be deleted, any number at once.
func TestDeleteOfItemsWhoseCountingItemIsGone(t *testing.T) {
	t.Parallel()
	eachBlog(t, func(t *testing.T, b *blog) {
		for _, n := range []int{1, 2, 9, 20} {
			deletes := b.withoutPost(t, fmt.Sprint(n), n)
			require.NoError(t, tx.Write(t.Context(), deletes...))
		}
	})
}

// An item becomes counted only if the counting item exists and is not deleted, also if others leave
// it.
func TestCountsRequireTheCountingItem(t *testing.T) {
	t.Parallel()
	eachBlog(t, func(t *testing.T, b *blog) {
		ctx := t.Context()
		create := func(id string) entity.Operation { return b.stars.Op().Create(&star{User: "u", Slot: id, Post: id}) }
		gone := b.withoutPost(t, "gone", 1)
		requireOutcome(t, tx.Write(ctx, gone[0], create("gone")), trestle.ErrNotFound, trestle.NotApplied)
		requireOutcome(t, tx.Write(ctx, create("gone"), gone[0]), trestle.ErrNotFound, trestle.NotApplied)

		b.withPost(t, "p", 0)
		requireOutcome(t, tx.Write(ctx, create("p"), b.posts.Op().Delete(post{ID: "p"})), trestle.ErrInvalid, trestle.NotApplied)
		require.Zero(t, b.post(t, "p").Stars)

		both := append(b.withPost(t, "q", 1), create("q"))
		before := b.post(t, "q")
		require.NoError(t, tx.Write(ctx, both...))
		require.Equal(t, before, b.post(t, "q"), "nothing changes")
	})
}

// A put of the counting item with another count is stale, also with changes of the count. A
// transaction that is planned again counts once.
func TestCountsWithPuts(t *testing.T) {
	t.Parallel()
	eachBlog(t, func(t *testing.T, b *blog) {
		ctx := t.Context()
		require.NoError(t, b.posts.Create(ctx, &post{ID: "p"}))
		c, answer := comment{Post: "p", ID: "a"}, comment{Post: "p", ID: "b", To: "a"}
		require.NoError(t, b.comments.Create(ctx, &c))
		stale := c
		require.NoError(t, b.comments.Create(ctx, &answer))
		requireOutcome(t, tx.Write(ctx, b.comments.Op().Put(&stale), b.comments.Op().Delete(answer)), trestle.ErrStale, trestle.NotApplied)
		require.Zero(t, stale.Answers)

		c.Answers, c.Text = 1, "edited"
		gone := b.withoutPost(t, "gone", 1)
		again := comment{Post: "p", ID: "c", To: "a"}
		require.NoError(t, tx.Write(ctx, b.comments.Op().Put(&c), b.comments.Op().Create(&again), gone[0]))
		require.Equal(t, 2, c.Answers)
		require.NoError(t, tx.Write(ctx, b.comments.Op().Put(&c), b.comments.Op().Delete(again), b.comments.Op().Delete(answer)))
		require.Zero(t, c.Answers)
		stored, err := b.comments.Strong().Get(ctx, c)
		require.NoError(t, err)
		require.Equal(t, c, stored)

		gone = b.withoutPost(t, "gone too", 1)
		over := post{ID: "p", Title: "t", Comments: 1}
		require.NoError(t, tx.Write(ctx, b.posts.Op().Overwrite(&over), b.comments.Op().Create(&comment{Post: "p", ID: "d"}), gone[0]))
		require.EqualValues(t, 2, over.Comments)
		require.Equal(t, over, b.post(t, "p"))
	})
}

// A counting item can be moved to another key together with all items that it counts.
func TestMovesOfCountingItems(t *testing.T) {
	t.Parallel()
	eachBlog(t, func(t *testing.T, b *blog) {
		ctx := t.Context()
		b.withPost(t, "p", 2)
		from := b.post(t, "p")
		move := func(to *post) entity.Operation { return tx.Move(b.posts, from, to) }
		moved := func(i int) entity.Operation {
			return b.stars.Op().Update(star{User: "fan of p", Slot: strconv.Itoa(i)}, starPost.Set("new"))
		}
		for _, ops := range [][]entity.Operation{{}, {moved(0)}} {
			to := from
			to.ID = "new"
			err := tx.Write(ctx, append(ops, move(&to))...)
			requireOutcome(t, err, trestle.ErrCondition, trestle.NotApplied)
			require.Equal(t, 2, to.Stars)
		}
		to := from
		to.ID = "new"
		require.NoError(t, tx.Write(ctx, move(&to), moved(0), moved(1)))
		require.Equal(t, 2, to.Stars)
		require.Equal(t, to, b.post(t, "new"))

		b.withPost(t, "empty", 0)
		next := post{ID: "next", Stars: 7}
		require.NoError(t, tx.Write(ctx, tx.Move(b.posts, post{ID: "empty"}, &next)))
		require.Zero(t, next.Stars)
		require.Equal(t, next, b.post(t, "next"))

		created := post{ID: "created", Stars: 7}
		require.NoError(t, b.posts.Create(ctx, &created))
		require.Zero(t, created.Stars)
	})
}
