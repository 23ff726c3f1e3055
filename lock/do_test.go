package lock_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
	"github.com/trestledb/trestle/lock"
	"github.com/trestledb/trestle/tx"
)

// pass lets the time of a bubble pass.
func pass(d time.Duration) {
	time.Sleep(d) //nolint:forbidigo // it is the time of a bubble
}

// Acquire waits until the lock is released, until the lease ends, or until its context ends.
func TestAcquire(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		alice, bob := newPrograms(t, ddbtest.Client(t))
		config := lock.Config{Lease: time.Minute, Poll: 4 * time.Second}
		first, err := alice.locks(config).Acquire(t.Context(), "a")
		require.NoError(t, err)
		begin := time.Now()
		time.AfterFunc(20*time.Second, func() { _ = first.Release(context.Background()) })
		second, err := bob.locks(config).Acquire(t.Context(), "a")
		require.NoError(t, err)
		require.GreaterOrEqual(t, time.Since(begin), 20*time.Second)
		require.LessOrEqual(t, time.Since(begin), 26*time.Second, "at most 1.5 times Poll later")

		begin = time.Now()
		_, err = alice.locks(lock.Config{Lease: time.Minute, Poll: time.Hour}).Acquire(t.Context(), "a")
		require.NoError(t, err)
		require.Equal(t, second.Until().Add(time.Second+time.Millisecond), time.Now(), "when the lease has ended, and Skew has passed")
		require.Less(t, time.Since(begin), time.Minute+2*time.Second)

		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		_, err = bob.locks(config).Acquire(ctx, "a")
		require.ErrorIs(t, err, lock.ErrHeld)
		require.ErrorIs(t, err, context.DeadlineExceeded)
	})
}

// Do keeps the lock while its function runs, and releases it, also after a panic.
func TestDo(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		alice, bob := newPrograms(t, ddbtest.Client(t))
		config := lock.Config{Lease: 30 * time.Second}
		reason := errors.New("reason")
		err := alice.locks(config).Do(t.Context(), "a", func(ctx context.Context, held *lock.Lease) error {
			for range 10 {
				pass(20 * time.Second)
				_, err := bob.locks(config).TryAcquire(t.Context(), "a")
				require.ErrorIs(t, err, lock.ErrHeld)
				require.True(t, held.Held())
				require.NoError(t, ctx.Err())
			}
			return reason
		})
		require.ErrorIs(t, err, reason)
		require.NotErrorIs(t, err, lock.ErrLost)

		require.Panics(t, func() {
			_ = alice.locks(config).Do(t.Context(), "a", func(context.Context, *lock.Lease) error { panic("of the caller") })
		})
		held, err := bob.locks(config).TryAcquire(t.Context(), "a")
		require.NoError(t, err, "it was released")
		require.NoError(t, held.Release(t.Context()))

		ctx, cancel := context.WithCancel(t.Context())
		require.NoError(t, alice.locks(config).Do(ctx, "a", func(context.Context, *lock.Lease) error { cancel(); return nil }))
		_, err = bob.locks(config).TryAcquire(t.Context(), "a")
		require.NoError(t, err, "it is released after the context has ended")
	})
}

// TryDo calls its function only if the lock is free, and renews the lease as Do does.
func TestTryDo(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		db := ddbtest.Start(t)
		alice, bob := newPrograms(t, db.Client())
		config := lock.Config{Lease: 30 * time.Second}
		reason := errors.New("reason")
		err := alice.locks(config).TryDo(t.Context(), "a", func(context.Context, *lock.Lease) error {
			pass(5 * time.Minute)
			begin := time.Now()
			err := bob.locks(config).TryDo(t.Context(), "a", func(context.Context, *lock.Lease) error { t.Error("called"); return nil })
			require.ErrorIs(t, err, lock.ErrHeld)
			require.Zero(t, time.Since(begin), "at once")
			return reason
		})
		require.ErrorIs(t, err, reason)
		called := false
		require.NoError(t, bob.locks(config).TryDo(t.Context(), "a", func(context.Context, *lock.Lease) error { called = true; return nil }))
		require.True(t, called, "it was released")

		err = alice.locks(config).TryDo(t.Context(), "a", func(ctx context.Context, _ *lock.Lease) error {
			db.Fail(ddbtest.Op("UpdateItem"), ddbtest.InternalError)
			<-ctx.Done()
			return nil
		})
		require.ErrorIs(t, err, lock.ErrLost, "no renewal succeeded")
		require.Equal(t, trestle.Applied, trestle.OutcomeOf(err), "the function has succeeded")
		db.ClearFaults()

		err = alice.locks(config).TryDo(t.Context(), "b", func(context.Context, *lock.Lease) error {
			bob.sleeps(time.Hour)
			_, err := bob.locks(config).TryAcquire(t.Context(), "b")
			return err
		})
		require.ErrorIs(t, err, lock.ErrLost, "another program has acquired the lock")
		require.Equal(t, trestle.Applied, trestle.OutcomeOf(err))
	})
}

// The context of Do ends when the lease is lost: because another program acquired the lock, or
// because no renewal succeeds.
func TestDo_lost(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		db := ddbtest.Start(t)
		alice, bob := newPrograms(t, db.Client())
		config := lock.Config{Lease: 30 * time.Second}
		reason := errors.New("reason")
		lost := func(after func()) error {
			err := alice.locks(config).Do(t.Context(), "a", func(ctx context.Context, _ *lock.Lease) error {
				after()
				<-ctx.Done()
				require.ErrorIs(t, context.Cause(ctx), lock.ErrLost)
				return reason
			})
			require.ErrorIs(t, err, reason)
			return err
		}
		begin := time.Now()
		require.ErrorIs(t, lost(func() {
			bob.sleeps(time.Hour)
			held, err := bob.locks(config).TryAcquire(t.Context(), "a")
			require.NoError(t, err)
			require.NoError(t, held.Release(t.Context()))
		}), lock.ErrLost)
		require.Equal(t, 10*time.Second, time.Since(begin), "at the next renewal")

		begin = time.Now()
		require.ErrorIs(t, lost(func() { db.Fail(ddbtest.Op("UpdateItem"), ddbtest.InternalError) }), lock.ErrLost)
		require.InDelta(t, 30, time.Since(begin).Seconds(), 10, "when the lease ends")
		db.ClearFaults()
	})
}

// Do does not wait for the reply to its release after the lease has ended anyway.
func TestDo_releaseHangs(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		db := ddbtest.Start(t)
		alice, _ := newPrograms(t, db.Client())
		begin := time.Now()
		require.NoError(t, alice.locks(lock.Config{Lease: 10 * time.Second}).Do(t.Context(), "a", func(context.Context, *lock.Lease) error {
			db.Fail(ddbtest.Op("UpdateItem"), ddbtest.Hang)
			return nil
		}))
		require.Equal(t, 10*time.Second, time.Since(begin))
		db.ClearFaults()
	})
}

// Several programs increment a number that they read before, with faults and crashes. With the lock
// no increment is lost. The negative control has no lock.
func TestIncrements(t *testing.T) {
	t.Parallel()
	seed := testrand.Seed(t)
	storm := func(t *testing.T, increment func(p *program, config lock.Config) error) (applied, most, sum int64) {
		db := ddbtest.Start(t, ddbtest.Options{Seed: seed | 1, KeepRequests: 1})
		alice, bob := newPrograms(t, db.Client())
		require.NoError(t, alice.pages.In(alice.table).Create(t.Context(), &page{ID: "p"}))
		db.Fail(ddbtest.Op("UpdateItem"), ddbtest.Rate(0.05), ddbtest.AfterCommit(ddbtest.Reset))
		db.Fail(ddbtest.Op("UpdateItem"), ddbtest.Rate(0.05), ddbtest.InternalError)
		var mu sync.Mutex
		var programs sync.WaitGroup
		for i := range 4 {
			p := []*program{alice, bob}[i%2]
			programs.Go(func() {
				for range testsize.Pick(25, 100, 1000) {
					err := increment(p, lock.Config{Lease: 5 * time.Second, Poll: 100 * time.Millisecond})
					mu.Lock()
					if err == nil {
						applied++
					}
					if err == nil || trestle.OutcomeOf(err) == trestle.Unknown {
						most++
					}
					mu.Unlock()
				}
			})
		}
		programs.Wait()
		db.ClearFaults()
		got, err := alice.pages.In(alice.table).Strong().Get(t.Context(), page{ID: "p"})
		require.NoError(t, err)
		return applied, most, got.Visits
	}
	increment := func(p *program, checks func(v int64) error) error {
		got, err := p.pages.In(p.table).Strong().Get(context.Background(), page{ID: "p"})
		if err != nil {
			return err
		}
		pass(time.Millisecond)
		return checks(got.Visits + 1)
	}
	synctest.Test(t, func(t *testing.T) {
		applied, most, sum := storm(t, func(p *program, c lock.Config) error {
			written := errors.New("not called")
			_ = p.locks(c).Do(context.Background(), "a", func(ctx context.Context, held *lock.Lease) error {
				written = increment(p, func(v int64) error {
					return tx.Write(ctx, held.Check(), p.pages.In(p.table).Op().Update(page{ID: "p"}, visits.Set(v)))
				})
				return written
			})
			return written
		})
		t.Logf("%d increments, %d at most, %d counted", applied, most, sum)
		require.LessOrEqual(t, sum, most)
		require.GreaterOrEqual(t, sum, applied)
		require.Positive(t, applied)
	})
	synctest.Test(t, func(t *testing.T) {
		applied, _, sum := storm(t, func(p *program, _ lock.Config) error {
			return increment(p, func(v int64) error {
				_, err := p.pages.In(p.table).Update(context.Background(), page{ID: "p"}, visits.Set(v), attr.If(visits.Ge(0)))
				return err
			})
		})
		require.Less(t, sum, applied, "the control loses increments")
	})
}
