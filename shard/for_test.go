package shard_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/shard"
)

func TestFor(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		rate float64
		size int
		want int
	}{
		{100_000, 1024, 100},
		{20_000, 1024, 20},
		{1000, 1536, 2},
		{1000, 1024, 1},
		{1001, 1024, 2},
		{1000, 1025, 2},
		{0.5, 10, 1},
		{0, 0, 1},
		{5000, 0, 5},
		{5000, -1, 5},
		{-1, 1024, 1},
		{math.NaN(), 1024, 1},
		{math.Inf(-1), 1024, 1},
		{math.Inf(1), 1024, math.MaxInt32},
	} {
		require.Equal(t, c.want, shard.For(c.rate, c.size), "%v/s of %d bytes", c.rate, c.size)
	}
}
