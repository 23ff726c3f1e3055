package ddbtest_test

import (
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest"
)

var errClosed = errors.New("the storage is closed")

// Close waits for the requests that run, and the database does not use its storage afterwards.
func TestStorageClose(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		m := newMemory()
		db := ddbtest.New(ddbtest.Options{Storage: m})
		db.CreateTable(t, thingsTable())
		m.before = func(int) error {
			time.Sleep(time.Second) //nolint:forbidigo // it is the time of a bubble
			return nil
		}
		db.Fail(ddbtest.Hang, ddbtest.Nth(3))
		results := make(chan string, 3)
		for range 3 { // the first one commits, the second one waits for it, and the third one hangs
			go func() { results <- resultOf(increment(t.Context(), db.Client(once))) }()
			synctest.Wait()
		}
		db.Close()
		m.before = func(int) error { return errClosed }
		want := entriesOf(db)
		require.Equal(t, want, m.withoutState())
		require.ElementsMatch(t, []string{"success", "success", "reset"}, []string{<-results, <-results, <-results})
		require.Equal(t, "refused", resultOf(increment(t.Context(), db.Client(once))))
		db.Advance(time.Hour)
		db.Restore(db.Snapshot())
		db.DeliverLate()
		db.Close()
		require.NoError(t, db.Err())
		require.Equal(t, want, m.withoutState())
	})
}

// TestStorageCloseRandom closes a database while clients write. No request gets an error of the
// storage, and the storage has what was acknowledged.
func TestStorageCloseRandom(t *testing.T) {
	t.Parallel()
	for range 50 {
		m := newMemory()
		db := ddbtest.New(ddbtest.Options{Storage: m})
		db.CreateTable(t, thingsTable())
		var all sync.WaitGroup
		var written atomic.Int64
		for range 8 {
			client := db.Client(once)
			all.Go(func() {
				for {
					result := resultOf(increment(t.Context(), client))
					if result != "success" {
						if result != "reset" && result != "refused" {
							t.Error(result)
						}
						return
					}
					written.Add(1)
				}
			})
		}
		for written.Load() < 20 { // the clients run
			require.NoError(t, t.Context().Err())
		}
		db.Close()
		m.before = func(int) error { return errClosed } // no lock: nothing uses it
		all.Wait()
		require.NoError(t, db.Err())
		require.EqualValues(t, written.Load(), n(t, reopen(t, m.copied())))
	}
}
