package costtest_test

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/costtest"
	"github.com/trestledb/trestle/tx"
)

// memberWrites returns writes of items that have a unique value and are counted, in a valid order.
func (s store) memberWrites(long string) []call {
	named := func(id, nick string) *member { return &member{Club: "c", ID: id, Nick: nick, Text: long} }
	ann, bob, cid := named("1", "ann"), named("2", "bob"), named("3", "cid")
	again, key := *ann, member{Club: "c", ID: "1"}
	ops := s.members.Op()
	return []call{
		{"club", func(ctx context.Context) error { return s.clubs.Create(ctx, &club{ID: "c"}) }, []costtest.Call{costtest.Create(s.clubs, &club{ID: "c"})}},
		{"create", func(ctx context.Context) error { return s.members.Create(ctx, ann) }, []costtest.Call{costtest.Create(s.members, &again)}},
		{"two of one club", func(ctx context.Context) error { return tx.Write(ctx, ops.Create(bob), ops.Create(cid)) },
			[]costtest.Call{costtest.Transaction(costtest.Create(s.members, bob), costtest.Create(s.members, cid))}},
		{"update", func(ctx context.Context) error { return errOf(s.members.Update(ctx, key, nick.Set("ina"))) },
			[]costtest.Call{costtest.Update(s.members, key, nick.Set("ina"))}},
		{"update with a token", func(ctx context.Context) error {
			return errOf(ops.Update(key, nick.Set("ann")).Once("rename " + strconv.Itoa(len(long))).Do(ctx))
		}, []costtest.Call{costtest.Transaction(costtest.Update(s.members, key, nick.Set("ann")))}},
		{"put of a new one", func(ctx context.Context) error { return s.members.Put(ctx, named("5", "eva")) },
			[]costtest.Call{costtest.Put(s.members, named("5", "eva"))}},
		{"a condition on the club", func(ctx context.Context) error {
			return tx.Write(ctx, ops.Create(named("4", "dan")), s.clubs.Op().Check(club{ID: "c"}, clubMembers.Lt(9)))
		}, []costtest.Call{costtest.Transaction(costtest.Create(s.members, named("4", "dan")), costtest.Check(s.clubs, club{ID: "c"}))}},
		{"the name of another one", func(ctx context.Context) error {
			return tx.Write(ctx, ops.Delete(*bob), ops.Update(key, nick.Set("bob")))
		}, []costtest.Call{costtest.Transaction(costtest.Update(s.members, key, nick.Set("bob")), costtest.Delete(s.members, *bob))}},
		{"delete", func(ctx context.Context) error { return s.members.Delete(ctx, key) }, []costtest.Call{costtest.Delete(s.members, key)}},
	}
}

// Explain returns the cost of the items that the library adds to a transaction: guards of unique
// values and counts, which several operations may have in common.
func TestCompanions(t *testing.T) {
	t.Parallel()
	for _, bytes := range []int{0, 700, 9000} {
		s := newStore(t, ddbtest.Client(t))
		for _, c := range s.memberWrites(strings.Repeat("x", bytes)) {
			require.NoError(t, c.run(t.Context()), c.name)
			require.Empty(t, s.check(c.expects...), "%s, %d bytes", c.name, bytes)
		}
	}
	s := newStore(t, ddbtest.Client(t))
	failed := 0
	for _, c := range s.memberWrites("") {
		require.NoError(t, c.run(t.Context()), c.name)
		if len(s.check(c.expects[0].Explained(withoutCompanions))) > 0 {
			failed++
		}
	}
	require.Equal(t, 8, failed, "all but the club")
	ann := &member{Club: "d", ID: "1", Nick: "ann"}
	require.NoError(t, s.clubs.Create(t.Context(), &club{ID: "d"}))
	require.NoError(t, s.members.Create(t.Context(), ann))
	s.Reset()
	_, err := s.members.Update(t.Context(), *ann, nick.Set("ina"))
	require.NoError(t, err)
	bringBack := s.Keep()
	require.Empty(t, s.check(costtest.Update(s.members, *ann, nick.Set("ina"))))
	bringBack()
	require.NotEmpty(t, s.check(costtest.Transaction(costtest.Update(s.members, *ann, nick.Set("ina")))), "it returns no item")
}

// A batch writes the items of several types. Those with companions are transactions.
func TestBatchWrites(t *testing.T) {
	t.Parallel()
	for _, bytes := range []int{0, 700, 9000} {
		s := newStore(t, ddbtest.Client(t))
		long := strings.Repeat("x", bytes)
		require.NoError(t, s.clubs.Create(t.Context(), &club{ID: "c"}))
		s.Reset()
		var all []*note
		var keys []note
		for i := range 60 {
			all = append(all, &note{Book: "b", ID: i, Label: "l", Mark: "m", Text: long})
			keys = append(keys, note{Book: "b", ID: i})
		}
		p, m := page{ID: "p", Topic: "t", Area: "a", Text: long}, &member{Club: "c", ID: "1", Nick: "ann"}
		again := p
		n, gone := &note{Book: "b", ID: 70, Text: long}, note{Book: "b", ID: 0}
		mixed := func(yield func(entity.Operation) bool) {
			for _, o := range []entity.Operation{s.notes.Op().Put(n), s.pages.Op().Put(&p), s.members.Op().Create(m), s.notes.Op().Delete(gone)} {
				if !yield(o) {
					return
				}
			}
		}
		for _, c := range []call{
			{"put", func(ctx context.Context) error { return s.notes.PutMany(ctx, slices.Values(all)) }, []costtest.Call{costtest.PutMany(s.notes, all)}},
			{"put again", func(ctx context.Context) error { return s.notes.PutMany(ctx, slices.Values(all)) }, []costtest.Call{costtest.PutMany(s.notes, all)}},
			{"mixed", func(ctx context.Context) error { return entity.WriteMany(ctx, mixed) },
				[]costtest.Call{costtest.Batch(
					costtest.Delete(s.notes, gone), costtest.Put(s.notes, n), costtest.Put(s.pages, &again), costtest.Create(s.members, m),
				)}},
			{"delete", func(ctx context.Context) error { return s.notes.DeleteMany(ctx, slices.Values(keys)) }, []costtest.Call{costtest.DeleteMany(s.notes, keys)}},
		} {
			require.NoError(t, c.run(t.Context()), c.name)
			bringBack := s.Keep()
			require.Empty(t, s.check(c.expects...), "%s, %d bytes", c.name, bytes)
			bringBack()
			require.NotEmpty(t, s.check(c.expects[0].Explained(indexesForgotten)), c.name)
		}
	}
}

func withoutCompanions(x trestle.Explanation) trestle.Explanation {
	x.Units.Write -= 2 * float64(len(x.Also))
	return x
}
