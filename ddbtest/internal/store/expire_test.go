package store

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest/internal/clock"
	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// TestTimesOfExpiredItems checks the time of a deletion: the stream record and stale reads use
// the time when it was due, not the time of the sweep. If that is longer ago than the stream's
// retention, they use the current time.
func TestTimesOfExpiredItems(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		in, sleep time.Duration // when the item expires, and when the sweep runs
		want      time.Duration // when it was deleted
	}{
		{time.Hour, 3 * time.Hour, 2 * time.Hour}, // the delay is one hour
		{2 * time.Hour, 3 * time.Hour, 3 * time.Hour},
		{time.Hour, 25 * time.Hour, 2 * time.Hour},
		{time.Hour, 26 * time.Hour, 26 * time.Hour},
		{time.Hour, 800 * time.Hour, 800 * time.Hour},
		{-2 * time.Hour, time.Hour, time.Hour}, // not before it was written
	} {
		synctest.Test(t, func(t *testing.T) {
			db := NewDB(&clock.Clock{})
			began := db.Clock.Now()
			_ = db.Update(func(s *State) error {
				table := newTable(s, "expiring")
				s.OpenStream(table, "KEYS_ONLY")
				s.SetTTL(table, "ttl")
				s.SetLag(Lag{Items: 1000 * time.Hour})
				s.Put(table, randomKey(newRand(t)).With("ttl", number(began.Add(c.in).Unix())).With("pk", value.String("a")))
				return nil
			})
			<-time.After(c.sleep)
			db.Sweep(time.Hour)
			_ = db.View(func(s *State) error {
				table := s.Tables["expiring"]
				require.Zero(t, table.Len())
				require.Equal(t, began.Add(c.sleep), s.Now)
				for _, change := range table.Stream.Records.Last() {
					require.True(t, change.Expired)
					require.Equal(t, c.want, change.At.Sub(began))
					break
				}
				require.Equal(t, c.want, table.itemVersions[len(table.itemVersions)-1].until.Sub(began))
				return nil
			})
		})
	}
}
