package peerbench

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// median returns the middle value, or the mean of the two middle values. It returns false if there
// is none.
func median(all []float64) (float64, bool) {
	n := len(all)
	if n == 0 {
		return 0, false
	}
	sorted := slices.Sorted(slices.Values(all))
	return (sorted[(n-1)/2] + sorted[n/2]) / 2, true
}

func TestMedian(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		all  []float64
		want float64
	}{
		{[]float64{3}, 3},
		{[]float64{9, 1}, 5},
		{[]float64{100, 2, 1}, 2},
		{[]float64{4, 1, 3, 100}, 3.5},
	} {
		got, ok := median(c.all)
		require.True(t, ok)
		require.InDelta(t, c.want, got, 0)
	}
	_, ok := median(nil)
	require.False(t, ok)
}
