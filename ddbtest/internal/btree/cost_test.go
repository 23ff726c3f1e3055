package btree

import (
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/internal/testsize"
)

// A fork, its first write and its first deletion allocate a bounded number of bytes at any size.
// The test is not parallel because it measures allocations.
func TestForksCostTheSameAtAnySize(t *testing.T) {
	testsize.SkipRace(t)
	r := seeded(t)
	small, large := keysOf(r, 1_000), keysOf(r, testsize.Pick(100_000, 200_000, 1_000_000))
	smallTree, largeTree := treeOf(small), treeOf(large)

	clone := (*Tree[*int]).Clone
	require.Equal(t, costOf(func() { sink = clone(smallTree) }), costOf(func() { sink = clone(largeTree) }))
	require.Less(t, costOf(func() { sink = clone(largeTree) }), uint64(100))

	const few = 16 << 10 // bytes: a handful of nodes
	for range 100 {
		key := large[r.IntN(len(large))]
		require.Less(t, costOf(func() { clone(largeTree).Set(key, nil) }), uint64(few), "%x", key)
		require.Less(t, costOf(func() { clone(largeTree).Delete(key) }), uint64(few), "%x", key)
		require.Less(t, costOf(func() { sink = clone(largeTree); sink.Delete(key + "none") }), uint64(100), "%x", key)
	}

	// Negative control: a copy of all entries costs more.
	copied := func(t *Tree[*int]) *Tree[*int] {
		c := new(Tree[*int])
		for k, v := range t.From("") {
			c.Set(k, v)
		}
		return c
	}
	require.Greater(t, costOf(func() { copied(smallTree) }), uint64(few))
	require.Greater(t, costOf(func() { copied(largeTree) }), 10*costOf(func() { copied(smallTree) }))
}

// Reads allocate nothing. A write to owned nodes allocates only what the entry needs.
func TestReadsAllocateNothing(t *testing.T) {
	keys := keysOf(rand.New(rand.NewPCG(1, 2)), 5_000)
	tree := treeOf(keys)
	i := 0
	next := func() string {
		i = (i + 1) % len(keys)
		return keys[i]
	}
	require.Zero(t, costOf(func() { tree.Get(next()) }))
	require.Zero(t, costOf(func() { tree.Set(next(), nil) }))

	// Negative control.
	require.NotZero(t, costOf(func() { tree.Clone().Set(next(), nil) }))
}

// sink keeps the compiler from optimizing the measured code away.
var sink *Tree[*int]

// costOf returns how many bytes f allocates. It is the median of several runs, because other code
// may allocate too.
func costOf(f func()) uint64 {
	costs := make([]uint64, 7)
	var before, after runtime.MemStats
	for i := range costs {
		runtime.ReadMemStats(&before)
		f()
		runtime.ReadMemStats(&after)
		costs[i] = after.TotalAlloc - before.TotalAlloc
	}
	slices.Sort(costs)
	return costs[len(costs)/2]
}
