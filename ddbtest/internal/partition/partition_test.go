package partition

import (
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest/internal/capacity"
	"github.com/trestledb/trestle/ddbtest/internal/clock"
	"github.com/trestledb/trestle/ddbtest/internal/engine"
	"github.com/trestledb/trestle/ddbtest/internal/store"
)

func newLoads() *Loads { return New(store.NewDB(new(clock.Clock)), &engine.Config{}) }

func use(key string, read, write float64) []capacity.Use {
	return []capacity.Use{{Table: "T", Partition: key, Read: read, Write: write}}
}

// TestPeaks checks that the peak is the largest load within one second, and that the highest peaks
// are kept if there are too many.
func TestPeaks(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := newLoads()
		for _, read := range []float64{2, 3, 1} {
			l.Add(use("a", read, 0), l.store.Clock.Now())
			l.Add(use("a", read, 1), l.store.Clock.Now())
			<-time.After(time.Second)
		}
		require.Equal(t, capacity.Units{Read: 6, Write: 1}, l.Peaks(1)[0].Units)
		now := l.store.Clock.Now()
		for _, at := range []time.Time{now, now.Add(-time.Second), now} { // concurrent requests
			l.Add(use("b", 10, 0), at)
		}
		require.InDelta(t, 30, l.Peaks(1)[0].Read, 0)
		for i := range 2 * maxPeaks {
			l.Add(use(strconv.Itoa(i), float64(10+i), 0), l.store.Clock.Now())
		}
		peaks := l.Peaks(maxPeaks)
		require.Len(t, peaks, maxPeaks/2)
		require.InDelta(t, 9+2*maxPeaks, peaks[0].Read, 0)
		require.Empty(t, l.Peaks(-1))
	})
}

// TestLimit checks that a partition may exceed its limit once, that it repays the debt, and that it
// saves capacity for one second at most.
func TestLimit(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := newLoads()
		require.False(t, l.Limited())
		l.SetLimit(capacity.Units{Write: 10})
		p := id{table: "T", key: "a"}
		exhausted := func() bool { return l.exhausted(p, true, l.store.Clock.Now()) }
		require.False(t, exhausted())
		l.Add(use("a", 0, 30), l.store.Clock.Now())
		require.True(t, exhausted())
		l.store.Clock.Advance(2 * time.Second)
		require.True(t, exhausted(), "the debt is 0, and nothing is left")
		l.store.Clock.Advance(time.Hour)
		l.Add(use("a", 1000, 9), l.store.Clock.Now())
		require.False(t, exhausted())
		require.False(t, l.exhausted(p, false, l.store.Clock.Now()), "reads have no limit")
		l.Add(use("a", 0, 1), l.store.Clock.Now())
		require.True(t, exhausted(), "one second is saved, not an hour")
		l.SetLimit(capacity.Units{})
		require.False(t, exhausted())
		require.Equal(t, capacity.Units{}, l.Limit())
	})
}
