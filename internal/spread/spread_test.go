package spread_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/internal/spread"
)

// The numbers determine where values are stored, so they never change. Another implementation
// computed the expected ones.
func TestOf_golden(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		parts []string
		want  uint64
	}{
		{nil, 0xefd01f60ba992926},
		{[]string{""}, 0x7bd3144f29c0cc9e},
		{[]string{"", ""}, 0xa5e0dba6c385580a},
		{[]string{"a"}, 0xdea13a43162696b9},
		{[]string{"ab"}, 0x67ba3307165bc441},
		{[]string{"a", "b"}, 0x8fdf27bff1143c00},
		{[]string{"vote-1"}, 0x6b18303afde6de55},
		{[]string{"CandidateA", "7"}, 0x5f6959946cdaae68},
	} {
		require.Equal(t, c.want, spread.Of(c.parts...), "%q", c.parts)
	}
}

func TestOf_distinct(t *testing.T) {
	t.Parallel()
	lists := [][]string{nil, {""}, {"", ""}, {"a"}, {"a", ""}, {"", "a"}, {"ab"}, {"a", "b"}, {"b", "a"}, {"a\x00b"}}
	seen := map[uint64][]string{}
	for _, l := range lists {
		require.NotContains(t, seen, spread.Of(l...))
		seen[spread.Of(l...)] = l
	}
}

// Keys that differ in a counter only are spread evenly, also over numbers that are no power of two.
func TestOf_even(t *testing.T) {
	t.Parallel()
	for _, shards := range []int{2, 3, 10, 100} {
		found := make([]int, shards)
		const each = 1000
		for i := range each * shards {
			found[spread.Of(fmt.Sprintf("key-%d", i))%uint64(shards)]++
		}
		for _, n := range found {
			require.InDelta(t, each, n, 200, "%d shards", shards)
		}
	}
}
