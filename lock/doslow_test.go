package lock_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/lock"
)

// slow lets the first n updates of an item have a late reply, unless by is 0.
func slow(db *ddbtest.DB, n int, by time.Duration) {
	if by > 0 {
		db.Fail(ddbtest.Op("UpdateItem"), ddbtest.First(n), ddbtest.AfterCommit(ddbtest.Delay(by)))
	}
}

// If the reply to the acquisition was late, Do renews what is left of the lease in time. If nothing
// is left, it does not call its function.
func TestDo_slowAcquisition(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		late time.Duration
		runs bool
	}{{0, true}, {2 * time.Second, true}, {2900 * time.Millisecond, true}, {2999 * time.Millisecond, true}, {3 * time.Second, false}, {time.Minute, false}} {
		synctest.Test(t, func(t *testing.T) {
			db := ddbtest.Start(t)
			alice, bob := newPrograms(t, db.Client())
			slow(db, 1, c.late)
			ran := false
			err := alice.locks(lock.Config{Lease: 3 * time.Second}).Do(t.Context(), "a", func(ctx context.Context, held *lock.Lease) error {
				ran = true
				pass(10 * time.Second)
				require.NoError(t, ctx.Err(), "it was renewed")
				require.True(t, held.Held())
				return nil
			})
			require.Equal(t, c.runs, ran, c.late)
			if c.runs {
				require.NoError(t, err)
			} else {
				require.ErrorIs(t, err, lock.ErrLost)
			}
			_, err = bob.locks(lock.Config{}).TryAcquire(t.Context(), "a")
			require.NoError(t, err, "it is released")
		})
	}
}

// The context of Do ends when the lease ends, by whatever time its renewals are late, and before
// another program can acquire the lock.
func TestDo_slowRenewals(t *testing.T) {
	t.Parallel()
	for _, late := range []time.Duration{0, time.Second, 1900 * time.Millisecond, 2100 * time.Millisecond, time.Minute} {
		for _, acquisition := range []time.Duration{0, time.Second, 2900 * time.Millisecond} {
			synctest.Test(t, func(t *testing.T) {
				db := ddbtest.Start(t)
				alice, bob := newPrograms(t, db.Client())
				slow(db, 1, acquisition)
				lost := false
				err := alice.locks(lock.Config{Lease: 3 * time.Second}).Do(t.Context(), "a", func(ctx context.Context, held *lock.Lease) error {
					slow(db, 100, late)
					select {
					case <-ctx.Done():
						require.ErrorIs(t, context.Cause(ctx), lock.ErrLost)
						require.Equal(t, held.Until(), time.Now(), "when the lease ends")
						lost = true
						return nil
					case <-time.After(20 * time.Second):
						require.True(t, held.Held())
						return nil
					}
				})
				db.ClearFaults()
				if lost {
					require.ErrorIs(t, err, lock.ErrLost)
				} else {
					require.NoError(t, err)
				}
				if late+acquisition < time.Second {
					require.NoError(t, err, "no renewal was late")
				}
				if late > 3*time.Second {
					require.ErrorIs(t, err, lock.ErrLost, "no renewal had a reply in time")
				}
				pass(5 * time.Second)
				_, err = bob.locks(lock.Config{}).TryAcquire(t.Context(), "a")
				require.NoError(t, err)
			})
		}
	}
}
