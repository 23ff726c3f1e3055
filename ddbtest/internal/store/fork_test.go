package store

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest/internal/clock"
	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// TestForksLagAsTheirOrigin checks that a fork has the lag of its origin, and is independent
// afterwards. A snapshot is settled.
func TestForksLagAsTheirOrigin(t *testing.T) {
	t.Parallel()
	db := NewDB(&clock.Clock{})
	put := func(db *DB, pk string) {
		_ = db.Update(func(s *State) error {
			s.Put(s.Tables["forked"], randomKey(newRand(t)).With("pk", value.String(pk)).With("d", number(1)))
			return nil
		})
	}
	see := func(db *DB) (items, entries int) {
		_ = db.View(func(s *State) error {
			table := s.Tables["forked"]
			items = s.Items(table, db.Clock.Now(), false).Len()
			entries = s.Entries(table, table.Index("reversed"), db.Clock.Now(), false).Len()
			return nil
		})
		return items, entries
	}
	check := func(db *DB, wantItems, wantEntries int) {
		t.Helper()
		items, entries := see(db)
		require.Equal(t, []int{wantItems, wantEntries}, []int{items, entries})
	}
	_ = db.Update(func(s *State) error {
		newTable(s, "forked")
		s.SetLag(Lag{Items: time.Hour, Indexes: Forever})
		return nil
	})
	put(db, "a")
	db.Clock.Advance(time.Minute)
	put(db, "b")
	fork, other := db.Fork(db.Clock.Copy()), NewDB(&clock.Clock{})
	other.Restore(db.Snapshot())
	check(db, 0, 0)
	check(fork, 0, 0)
	check(other, 2, 2)

	fork.Clock.Advance(59*time.Minute + time.Second)
	check(fork, 1, 0)
	fork.Clock.Advance(time.Minute)
	put(fork, "c")
	put(db, "d")
	check(fork, 2, 0)
	check(db, 0, 0)
	_ = fork.Update(func(s *State) error {
		s.Tables["forked"].AddIndex(&Index{Name: "later", Key: partition(attribute("d", value.KindNumber))})
		s.Settle()
		return nil
	})
	check(fork, 3, 3)
	check(db, 0, 0)
	_ = db.View(func(s *State) error {
		require.NotContains(t, s.Tables["forked"].indexVersions[0].entries, "later", "the fork's index is its own")
		return nil
	})
}

// TestForksKeepVersionsOfTheirOwn checks that versions added to one copy do not overwrite those of
// the other.
func TestForksKeepVersionsOfTheirOwn(t *testing.T) {
	t.Parallel()
	s := NewState()
	s.Now, s.Lag = epoch, Lag{Items: 1000 * time.Hour}
	r := newRand(t)
	put := func(s *State) {
		s.Now = s.Now.Add(time.Minute)
		s.Put(s.Tables["forked"], randomKey(r))
	}
	newTable(s, "forked")
	for range 100 { // some slices have spare capacity
		put(s)
		fork := s.Clone()
		fork.Now = fork.Now.Add(time.Second)
		put(fork)
		put(s.Clone())
		put(s)
		kept := fork.Tables["forked"].itemVersions
		require.Equal(t, fork.Now, kept[len(kept)-1].until)
	}
}
