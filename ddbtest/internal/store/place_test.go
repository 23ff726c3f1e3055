package store

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest/internal/value"
	"github.com/trestledb/trestle/internal/testsize"
)

// TestPlacesOrder compares places with keys: a partition is contiguous, and its items are in the
// order of the sort key. The negative control orders numbers by their text.
func TestPlacesOrder(t *testing.T) {
	t.Parallel()
	r := newRand(t)
	key := partition(pk).sortedBy(sk)
	text := func(k KeySchema, item value.Map) string {
		return k.PartitionPlace(item) + item.Get("sk").(value.Number).String()
	}
	caught := false
	for range testsize.Pick(20_000, 200_000, 1_000_000) {
		first, second := randomKey(r), randomKey(r)
		order, _ := value.Compare(first.Get("sk"), second.Get("sk"))
		if !value.Equal(first.Get("pk"), second.Get("pk")) {
			require.NotEqual(t, key.PartitionPlace(first), key.PartitionPlace(second))
			continue
		}
		require.Equal(t, order, strings.Compare(key.Place(first), key.Place(second)), "%v %v", first, second)
		require.True(t, strings.HasPrefix(key.Place(first), key.PartitionPlace(second)))
		caught = caught || order != strings.Compare(text(key, first), text(key, second))
	}
	require.True(t, caught, "the check did not see numbers ordered as text")
}

// TestAfter checks the upper bound of a prefix.
func TestAfter(t *testing.T) {
	t.Parallel()
	for prefix, want := range map[string]string{"a": "b", "a\xff": "b", "\xff\xff": "", "": "", "a\x00": "a\x01"} {
		require.Equal(t, want, PrefixEnd([]byte(prefix)), "%q", prefix)
	}
}

// segmentsOf returns the number of segments that contain a place.
func segmentsOf(place string, total int64, segment func(int64, int64) (string, string)) int {
	n := 0
	for i := range total {
		lo, hi := segment(i, total)
		if place >= lo && (hi == "" || place < hi) {
			n++
		}
	}
	return n
}

// TestSegmentsCoverAllOnce checks that each place is in exactly one segment, including the bounds.
// The negative control omits a place at each bound.
func TestSegmentsCoverAllOnce(t *testing.T) {
	t.Parallel()
	r := newRand(t)
	gaps := func(i, total int64) (lo, hi string) {
		lo, hi = SegmentRange(i, total)
		return PrefixEnd([]byte(lo)), hi
	}
	caught := false
	for range testsize.Pick(200, 5_000) {
		total := 1 + r.Int64N(64)
		lo, _ := SegmentRange(r.Int64N(total), total)
		for _, place := range []string{lo + "item", lo, randomPlace(r), "\x00\x00\x00\x00\x00\x00\x00\x00", "\xff\xff\xff\xff\xff\xff\xff\xff\xff"} {
			if place == "" {
				continue
			}
			require.Equal(t, 1, segmentsOf(place, total, SegmentRange), "%x of %d", place, total)
			caught = caught || segmentsOf(place, total, gaps) != 1
		}
	}
	require.True(t, caught, "the check did not see segments with gaps")
}

func randomPlace(r *rand.Rand) string { return string(binary.BigEndian.AppendUint64(nil, r.Uint64())) }

// TestSegmentBounds checks that each segment ends where the next one begins, and that none is
// empty, up to the maximum number.
func TestSegmentBounds(t *testing.T) {
	t.Parallel()
	for _, total := range []int64{1, 2, 3, 7, 1000, 999_999, 1_000_000} {
		end, hi := SegmentRange(0, total)
		require.Empty(t, end)
		for i := range total - 1 {
			lo, next := SegmentRange(i+1, total)
			if lo != hi || next != "" && next <= lo {
				require.Fail(t, "bounds", "segment %d of %d: %x to %x, after %x", i+1, total, lo, next, hi)
			}
			hi = next
		}
		require.Empty(t, hi)
	}
}

// TestHashesSpread checks that ordinary keys are evenly distributed over segments.
func TestHashesSpread(t *testing.T) {
	t.Parallel()
	const keys, total = 20_000, 16
	counts := [total]int{}
	for i := range keys {
		place := partition(pk).PartitionPlace(value.Map{{Name: "pk", Value: value.String(fmt.Sprint("customer#", i))}})
		for n := range int64(total) {
			if lo, hi := SegmentRange(n, total); place >= lo && (hi == "" || place < hi) {
				counts[n]++
			}
		}
	}
	for n, count := range counts {
		require.InDelta(t, keys/total, count, keys/total/5, "segment %d", n)
	}
}
