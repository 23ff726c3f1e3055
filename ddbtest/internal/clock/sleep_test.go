package clock

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
)

// sleeper is Sleep or a naive replacement of it.
type sleeper func(c *Clock, ctx context.Context, d time.Duration) error

func TestSleep(t *testing.T) {
	t.Parallel()
	r := testrand.New(t)
	for range testsize.Pick(300, 2_000, 10_000) {
		s := schedules(r)
		require.Equal(t, s.expected(), s.run(t, (*Clock).Sleep), "%+v", s)
	}
}

// TestSleepControl checks that the same schedules fail for naive sleepers.
func TestSleepControl(t *testing.T) {
	t.Parallel()
	for name, naive := range map[string]sleeper{
		"it sleeps by the real clock": func(_ *Clock, ctx context.Context, d time.Duration) error {
			wait(ctx, d, nil)
			return ctx.Err()
		},
		"it sleeps until the clock tells a time, so longer when that is set back": func(c *Clock, ctx context.Context, d time.Duration) error {
			for end := c.Now().Add(d); c.Now().Before(end); {
				moved, done := c.addSleeper()
				wait(ctx, end.Sub(c.Now()), moved)
				done()
			}
			return ctx.Err()
		},
		"it takes any advance for its own": func(c *Clock, ctx context.Context, d time.Duration) error {
			moved, done := c.addSleeper()
			defer done()
			wait(ctx, d, moved)
			return ctx.Err()
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := testrand.New(t)
			for range 1_000 {
				if s := schedules(r); !slices.Equal(s.expected(), s.run(t, naive)) {
					return
				}
			}
			t.Fatal("no schedule shows the difference")
		})
	}
}

// schedule lists when each sleep begins and how long it is, and when the clock is advanced and by
// how much. Times are relative to the start, and no two are equal.
type schedule struct{ Sleeps, Advances []event }

type event struct{ At, Of time.Duration }

func schedules(r *rand.Rand) schedule {
	const hour = int64(time.Hour)
	s := schedule{Sleeps: make([]event, 1+r.IntN(5)), Advances: make([]event, r.IntN(6))}
	for i := range s.Sleeps {
		s.Sleeps[i] = event{time.Duration(r.Int64N(hour)), time.Duration(r.Int64N(2 * hour))}
	}
	for i := range s.Advances {
		s.Advances[i] = event{time.Duration(r.Int64N(2 * hour)), time.Duration(r.Int64N(2*hour) - hour/2)}
	}
	slices.SortFunc(s.Advances, func(a, b event) int { return cmp.Compare(a.At, b.At) })
	return s
}

// expected returns when each sleep ends: when the elapsed time plus the skipped time reaches its
// length.
func (s schedule) expected() []time.Duration {
	ends := make([]time.Duration, len(s.Sleeps))
	for i, sleep := range s.Sleeps {
		ends[i] = sleep.At + sleep.Of
		for _, a := range s.Advances {
			if a.At > sleep.At && a.At < ends[i] && a.Of > 0 {
				ends[i] = max(a.At, ends[i]-a.Of)
			}
		}
	}
	return ends
}

// run returns when each sleep ended.
func (s schedule) run(t *testing.T, sleep sleeper) []time.Duration {
	t.Helper()
	ends := make([]time.Duration, len(s.Sleeps))
	synctest.Test(t, func(t *testing.T) {
		var clock Clock
		begin := time.Now()
		for i, e := range s.Sleeps {
			go func() {
				<-time.After(e.At)
				if err := sleep(&clock, t.Context(), e.Of); err != nil {
					t.Error(err)
				}
				ends[i] = time.Since(begin)
			}()
		}
		for _, a := range s.Advances {
			<-time.After(a.At - time.Since(begin))
			clock.Advance(a.Of)
		}
		<-time.After(aDay)
		synctest.Wait()
	})
	return ends
}

func TestSleepContext(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		after time.Duration // when the context ends
		sleep time.Duration
		want  error
		took  time.Duration
	}{
		{"ended before", 0, time.Hour, context.DeadlineExceeded, 0},
		{"ended before, nothing to sleep", 0, 0, context.DeadlineExceeded, 0},
		{"ends meanwhile", time.Minute, time.Hour, context.DeadlineExceeded, time.Minute},
		{"ends later", time.Hour, time.Minute, nil, time.Minute},
		{"ends, forever asleep", time.Hour, math.MaxInt64, context.DeadlineExceeded, time.Hour},
		{"nothing to sleep", time.Hour, 0, nil, 0},
		{"less than nothing", time.Hour, math.MinInt64, nil, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				var clock Clock
				ctx, cancel := context.WithTimeout(t.Context(), c.after)
				defer cancel()
				begin := time.Now()
				require.ErrorIs(t, clock.Sleep(ctx, c.sleep), c.want)
				require.Equal(t, c.took, time.Since(begin))
			})
		})
	}
}

func TestSleepOverflow(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var clock Clock
		for range 5 { // the total of the skipped time overflows after the second round
			woken := make(chan error)
			go func() { woken <- clock.Sleep(t.Context(), math.MaxInt64) }()
			<-time.After(time.Second)
			clock.Advance(math.MaxInt64 - time.Minute)
			synctest.Wait()
			select {
			case err := <-woken:
				t.Fatal("it woke a minute early:", err)
			default:
			}
			clock.Advance(time.Minute)
			require.NoError(t, <-woken)
		}
	})
}

func TestConcurrentSleeps(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var clock Clock
		woken := make(chan struct{}, 100)
		for range cap(woken) {
			go func() {
				if clock.Sleep(t.Context(), time.Hour) == nil {
					woken <- struct{}{}
				}
			}()
		}
		for range 60 {
			synctest.Wait()
			require.Empty(t, woken)
			clock.Advance(time.Minute)
		}
		synctest.Wait()
		require.Len(t, woken, cap(woken))
	})
}

// TestStop checks that Stop ends present and future sleeps and waits.
func TestStop(t *testing.T) {
	t.Parallel()
	for name, rest := range map[string]func(*Clock, context.Context) error{
		"sleep": func(c *Clock, ctx context.Context) error { return c.Sleep(ctx, time.Hour) },
		"wait":  (*Clock).Wait,
	} {
		synctest.Test(t, func(t *testing.T) {
			var clock Clock
			ended := make(chan error)
			go func() { ended <- rest(&clock, t.Context()) }()
			synctest.Wait()
			require.Empty(t, ended, name)
			clock.Advance(time.Minute)
			synctest.Wait()
			require.Empty(t, ended, name)
			clock.Stop()
			require.ErrorIs(t, <-ended, ErrStopped, name)
			require.ErrorIs(t, rest(&clock, t.Context()), ErrStopped, name)
			ctx, cancel := context.WithCancel(t.Context())
			cancel()
			require.ErrorIs(t, rest(&clock, ctx), context.Canceled, name)
			require.Empty(t, clock.sleepers)
		})
	}
}

// TestWait checks that an Advance does not end a wait.
func TestWait(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var clock Clock
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
		defer cancel()
		go clock.Advance(math.MaxInt64)
		require.ErrorIs(t, clock.Wait(ctx), context.DeadlineExceeded)
	})
}

// TestClockAfterBubble makes a clock outside a bubble, sleeps on it inside, and moves and
// stops it outside again. The context is also made outside.
func TestClockAfterBubble(t *testing.T) {
	t.Parallel()
	var clock Clock
	outside, cancel := context.WithCancel(t.Context())
	defer cancel()
	outside.Done() // the first call of Done makes the channel
	synctest.Test(t, func(*testing.T) {
		require.NoError(t, clock.Sleep(outside, time.Hour))
		brief, cancel := context.WithTimeout(outside, time.Minute)
		defer cancel()
		require.Error(t, clock.Wait(brief))
		go func() {
			<-time.After(time.Second)
			clock.Advance(time.Hour)
		}()
		require.NoError(t, clock.Sleep(outside, time.Hour))
	})
	clock.Advance(time.Hour)
	clock.Stop()
}

func TestCopy(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var clock Clock
		clock.Advance(math.MaxInt64)
		clock.Advance(math.MaxInt64)
		other := clock.Copy()
		require.Equal(t, clock.Now(), other.Now())
		other.Advance(-time.Hour)
		require.Equal(t, time.Hour, clock.Now().Sub(other.Now()))
	})
}
