package btree

import (
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/internal/testsize"
)

// Readers of one tree, clones made meanwhile, and writes to those clones do not affect each other.
// The race detector verifies it.
func TestReadsDuringWritesToClones(t *testing.T) {
	t.Parallel()
	const keys = 5_000
	origin := new(Tree[int])
	for i := range keys {
		origin.Set(numbered(i), i)
	}
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() { readAll(t, origin, keys, testsize.Pick(3, 30, 100)) })
		group.Go(func() { rewriteClones(t, origin, keys, testsize.Pick(3, 30, 100)) })
	}
	group.Wait()
	require.NoError(t, origin.check())
}

func numbered(i int) string { return fmt.Sprintf("number%06d", i) }

// readAll reads the tree in every way, and reports the first unexpected entry.
func readAll(t *testing.T, tree *Tree[int], keys, rounds int) {
	t.Helper()
	for range rounds {
		next := 0
		for k, v := range tree.From("") {
			if v != next || k != numbered(next) {
				t.Errorf("%q has %d in the place of %d", k, v, next)
				return
			}
			next++
		}
		for k, v := range tree.Last() {
			next--
			if got, ok := tree.Get(k); !ok || got != v || v != next {
				t.Errorf("%q has %d in the place of %d", k, v, next)
				return
			}
		}
		if next != 0 || tree.Len() != keys {
			t.Errorf("%d keys are missing", next)
			return
		}
	}
}

// rewriteClones writes to all keys of clones.
func rewriteClones(t *testing.T, origin *Tree[int], keys, rounds int) {
	t.Helper()
	for range rounds {
		clone := origin.Clone()
		for i := range keys {
			if i%3 == 0 {
				clone.Delete(numbered(i))
			} else {
				clone.Set(numbered(i), -i)
			}
		}
		if err := clone.check(); err != nil {
			t.Error(err)
			return
		}
		for k, v := range clone.From("") {
			if k != numbered(-v) {
				t.Errorf("%q has %d", k, v)
				return
			}
		}
	}
}
