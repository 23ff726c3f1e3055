package store

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest/internal/clock"
)

// TestSweepAllocatesNothingIfNothingIsDue sweeps while a reader holds the lock, and checks that
// nothing is allocated.
func TestSweepAllocatesNothingIfNothingIsDue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		db := NewDB(&clock.Clock{})
		_ = db.Update(func(s *State) error {
			table := newTable(s, "idle")
			s.SetTTL(table, "ttl")
			s.OpenStream(table, "KEYS_ONLY")
			s.Put(table, randomKey(newRand(t)).With("ttl", number(s.Now.Unix()+3600)))
			// Expired too long ago to be deleted.
			s.Put(table, randomKey(newRand(t)).With("ttl", number(1)))
			return nil
		})
		db.Sweep(0)
		_ = db.View(func(*State) error {
			db.Sweep(0)
			require.Zero(t, testing.AllocsPerRun(10, func() { db.Sweep(0) }))
			return nil
		})
		require.False(t, db.Overdue(0))
		db.Clock.Advance(time.Hour)
		require.False(t, db.Overdue(time.Second))
		require.True(t, db.Overdue(0))
		db.Sweep(0)
		require.False(t, db.Overdue(0), "what was due is done")
		db.Clock.Advance(shardLife)
		require.True(t, db.Overdue(0))
		db.Sweep(0)
		require.False(t, db.Overdue(0))
	})
}

// TestSweepCompletesChanges creates, updates and deletes a table and an index with a delay.
func TestSweepCompletesChanges(t *testing.T) {
	t.Parallel()
	s := NewState()
	s.Now = epoch
	table := newTable(s, "made")
	sparse, local := table.Index("sparse"), table.Index("local")
	at := func(seconds int) time.Time { return epoch.Add(time.Duration(seconds) * time.Second) }
	table.ActiveAt, table.UpdatedAt = at(1), at(3)
	sparse.ActiveAt, sparse.UpdatedAt, table.Index("several").DeleteAt = at(2), at(4), at(5)
	s.AddDue(table)

	find := func() error { _, err := s.Find("made", s.Now); return err }
	read := func(index string) error { _, err := table.FindIndex(index, s.Now); return err }
	require.Error(t, find())
	require.Error(t, read("sparse"))
	require.Error(t, read("several"))
	require.Error(t, read("none"))
	require.NoError(t, read("local"))

	over := func() (over []bool) {
		for _, t := range []time.Time{table.ActiveAt, sparse.ActiveAt, table.UpdatedAt, sparse.UpdatedAt} {
			over = append(over, t.IsZero())
		}
		return append(over, table.Index("several") == nil)
	}
	for seconds, want := range [][]bool{
		{false, false, false, false, false},
		{true, false, false, false, false},
		{true, true, false, false, false},
		{true, true, true, false, false},
		{true, true, true, true, false},
		{true, true, true, true, true},
	} {
		s.Now = at(seconds)
		s.Sweep(0)
		require.Equal(t, want, over(), "%d seconds", seconds)
	}
	require.True(t, local.ActiveAt.IsZero())

	s.Now = epoch // setting the clock back does not undo it
	require.NoError(t, find())
	require.NoError(t, read("sparse"))
}

// TestLookup looks up a table by its name, its ARN, and others.
func TestLookup(t *testing.T) {
	t.Parallel()
	s := NewState()
	table := newTable(s, "named")
	table.DeleteAt = epoch
	for name, found := range map[string]bool{
		"named": true, table.ARN: true, "other": false, "": false, table.ARN + "/index/sparse": false,
		"arn:aws:dynamodb:r:2:table/named": false, "arn:": false, "arn:named": false,
	} {
		require.Equal(t, found, s.Lookup(name, epoch.Add(-1)) != nil, "%q", name)
		require.Nil(t, s.Lookup(name, epoch), "%q", name)
	}
}

// TestRestore restores an earlier state, and what was due then.
func TestRestore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		db := NewDB(&clock.Clock{})
		_ = db.Update(func(s *State) error {
			s.SetTTL(newTable(s, "restored"), "ttl")
			s.Put(s.Tables["restored"], randomKey(newRand(t)).With("ttl", number(s.Now.Unix()+60)))
			return nil
		})
		count := func() (n int) {
			_ = db.View(func(s *State) error { n = s.Tables["restored"].Len(); return nil })
			return n
		}
		snapshot := db.Snapshot()
		db.Clock.Advance(time.Minute)
		db.Sweep(0)
		require.Zero(t, count())

		for range 2 { // the snapshot is unchanged
			db.Restore(snapshot)
			require.Equal(t, 1, count())
			db.Sweep(0)
			require.Zero(t, count())
		}
	})
}
