package clock

import (
	"math"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/internal/testrand"
)

const aDay = 24 * time.Hour

func TestNow(t *testing.T) {
	t.Parallel()
	var outside Clock // the zero value, created before the bubble
	r := testrand.New(t)
	synctest.Test(t, func(t *testing.T) {
		require.Equal(t, time.Now(), outside.Now())
		var advanced time.Duration
		for range 1_000 {
			before := outside.Now()
			passed, jump := time.Duration(r.Int64N(int64(aDay))), time.Duration(r.Int64N(int64(aDay)))-aDay/2
			<-time.After(passed)
			outside.Advance(jump)
			advanced += jump
			require.Equal(t, passed+jump, outside.Now().Sub(before))
			require.Equal(t, advanced, time.Until(outside.Now()))
		}
	})
}

func TestAdvanceOverflow(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const century = 100 * 365 * aDay
		for _, c := range []struct {
			name  string
			jumps []time.Duration
			want  time.Duration
		}{
			{"forward", []time.Duration{math.MaxInt64, math.MaxInt64}, math.MaxInt64},
			{"back", []time.Duration{math.MinInt64, math.MinInt64}, math.MinInt64},
			{"forward in steps", []time.Duration{century, century, century}, math.MaxInt64},
			{"back in steps", []time.Duration{-century, -century, -century}, math.MinInt64},
			{"there and back", []time.Duration{math.MaxInt64, math.MinInt64, 1}, 0},
		} {
			var clock Clock
			for _, jump := range c.jumps {
				clock.Advance(jump)
			}
			require.Equal(t, time.Now().Add(c.want), clock.Now(), c.name)
		}
	})
}

func TestFreeze(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var clock Clock
		begin := clock.Now()
		at := begin.Add(-time.Hour)
		clock.Freeze(at)

		<-time.After(time.Minute)
		require.Equal(t, at, clock.Now())
		clock.Advance(time.Hour)
		require.Equal(t, at, clock.Now())

		// Neither Freeze nor Unfreeze affects a sleeper.
		woken := make(chan error, 1)
		go func() { woken <- clock.Sleep(t.Context(), 2*time.Minute) }()
		<-time.After(time.Minute)
		clock.Unfreeze()
		require.Equal(t, begin.Add(time.Hour+2*time.Minute), clock.Now())
		synctest.Wait()
		require.Empty(t, woken)
		clock.Advance(time.Minute)
		require.NoError(t, <-woken)
	})
}

// TestSince compares with a difference of two times of the clock, at all offsets and also if the
// clock is moved or stands still meanwhile.
func TestSince(t *testing.T) {
	t.Parallel()
	offsets := []time.Duration{0, 1, -1, aDay, -aDay, math.MaxInt64, math.MaxInt64 - 1, math.MinInt64, math.MinInt64 + 1}
	synctest.Test(t, func(t *testing.T) {
		for _, first := range offsets {
			for _, second := range offsets {
				var c Clock
				c.Advance(first)
				earlier := c.Now()
				<-time.After(time.Second)
				require.Equal(t, time.Second, c.Since(earlier), "%d", first)
				c.Advance(second)
				require.Equal(t, c.Now().Sub(earlier), c.Since(earlier), "%d %d", first, second)
				c.Freeze(earlier)
				require.Zero(t, c.Since(earlier))
			}
		}
	})
}
