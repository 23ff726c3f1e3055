package btree

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/internal/testsize"
)

// changed is what Changes must return for two trees.
func changed(older, newer *Tree[int]) map[string]any {
	all := map[string]any{}
	for k := range older.From("") {
		if _, ok := newer.Get(k); !ok {
			all[k] = nil
		}
	}
	for k, v := range newer.From("") {
		if was, ok := older.Get(k); !ok || was != v {
			all[k] = v
		}
	}
	return all
}

func equalInts(a, b int) bool { return a == b }

// found returns the result of Changes, which must be in ascending order.
func found(t *testing.T, older, newer *Tree[int]) map[string]any {
	t.Helper()
	all, order := map[string]any{}, []string(nil)
	for k, v := range Changes(older, newer, equalInts) {
		all[k] = nil
		if v != nil {
			all[k] = *v
		}
		order = append(order, k)
	}
	require.True(t, slices.IsSorted(order))
	require.Len(t, order, len(all), "a key twice")
	return all
}

func TestChanges(t *testing.T) {
	t.Parallel()
	r := seeded(t)
	for range testsize.Pick(100, 500, 20_000) {
		older := randomTree(r, r.IntN(500))
		newer := older.Clone()
		if r.IntN(8) == 0 {
			newer = randomTree(r, r.IntN(500)) // shares nothing
		}
		for range r.IntN(1 << r.IntN(10)) {
			writeRandomly(r, newer)
		}
		require.Equal(t, changed(older, newer), found(t, older, newer))
		require.Equal(t, changed(newer, older), found(t, newer, older))
	}
}

func randomTree(r *rand.Rand, n int) *Tree[int] {
	t := new(Tree[int])
	for range n {
		t.Set(numbered(r.IntN(1000)), r.IntN(3))
	}
	return t
}

func writeRandomly(r *rand.Rand, t *Tree[int]) {
	if k := numbered(r.IntN(1000)); r.IntN(2) == 0 {
		t.Delete(k)
	} else {
		t.Set(k, r.IntN(3))
	}
}

// A walk may end at any change.
func TestChangesEnd(t *testing.T) {
	t.Parallel()
	r := seeded(t)
	older := randomTree(r, 300)
	newer := older.Clone()
	for range 100 {
		writeRandomly(r, newer)
	}
	all := slices.Sorted(maps.Keys(changed(older, newer)))
	require.NotEmpty(t, all)
	for n := range all {
		var first []string
		for k := range Changes(older, newer, equalInts) {
			if first = append(first, k); len(first) > n {
				break
			}
		}
		require.Equal(t, all[:n+1], first)
	}
}

// Few writes to a large tree visit few nodes: the values that are compared are those of the nodes
// that were copied.
func TestChangesSkipsSharedNodes(t *testing.T) {
	t.Parallel()
	r := seeded(t)
	const keys = 100_000
	older := new(Tree[int])
	for i := range keys {
		older.Set(numbered(i), i)
	}
	compared := func(writes int) (n int) {
		newer := older.Clone()
		for range writes {
			k := numbered(r.IntN(keys))
			newer.Set(k, -1)
			newer.Delete(numbered(r.IntN(keys)))
			newer.Set(k+"x", 1)
		}
		for range Changes(older, newer, func(a, b int) bool { n++; return a == b }) {
		}
		return n
	}
	require.Zero(t, compared(0))
	require.Less(t, compared(1), 20*maxEntries)
	require.Less(t, compared(10), 200*maxEntries)
	require.Greater(t, compared(50_000), keys/4) // the count does count
}
