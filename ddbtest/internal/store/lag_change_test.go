package store

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest/internal/clock"
	"github.com/trestledb/trestle/ddbtest/internal/value"
	"github.com/trestledb/trestle/internal/testsize"
)

// TestStaleReadsNeverGoBack changes the lag at random between writes and reads. A read of the table
// or of an index never sees an older version than an earlier read. The negative control changes the
// lag alone.
func TestStaleReadsNeverGoBack(t *testing.T) {
	t.Parallel()
	r := newRand(t)
	naive := func(s *State, lag Lag) { s.Lag = lag }
	caught := false
	for range testsize.Pick(100, 3_000) {
		require.NoError(t, changeLag(r, (*State).SetLag))
		caught = caught || changeLag(r, naive) != nil
	}
	require.True(t, caught, "the check did not see reads that go back")
}

// changeLag runs a history in which the n-th write writes n, so that a read shows the last write
// that it sees.
func changeLag(r *rand.Rand, set func(*State, Lag)) error {
	s := NewState()
	s.Now = epoch
	table := newTable(s, "monotone")
	global := table.Index("reversed")
	key := randomKey(r)
	lags := []time.Duration{0, time.Second, 5 * time.Second, Forever}
	var items, entries int
	for n := 1; n <= 40; n++ {
		s.Now = s.Now.Add(time.Duration(r.IntN(4)) * 500 * time.Millisecond)
		switch r.IntN(3) {
		case 0:
			set(s, Lag{Items: lags[r.IntN(len(lags))], Indexes: lags[r.IntN(len(lags))]})
		case 1:
			s.Put(table, key.With("n", number(int64(n))))
		}
		if r.IntN(40) == 0 {
			s.Settle()
		}
		seenItems := last(s.Items(table, s.Now, false).From(""))
		seenEntries := last(s.Entries(table, global, s.Now, false).From(""))
		if seenItems < items || seenEntries < entries {
			return fmt.Errorf("after the items of write %d and the entries of %d it reads those of %d and %d", items, entries, seenItems, seenEntries)
		}
		items, entries = seenItems, seenEntries
	}
	return nil
}

// last returns the highest number in the items.
func last(items func(yield func(string, value.Map) bool)) (n int) {
	for _, item := range items {
		i, _ := item.Get("n").(value.Number).Int64()
		n = max(n, int(i))
	}
	return n
}

// TestRecreatedIndex deletes a lagging index, and creates another one with the same
// name.
func TestRecreatedIndex(t *testing.T) {
	t.Parallel()
	s := NewState()
	s.Now, s.Lag = epoch, Lag{Indexes: Forever}
	table := newTable(s, "again")
	r := newRand(t)
	plain := randomKey(r).With("pk", value.String("plain"))
	s.Put(table, plain.With("a", value.String("old")))
	s.Settle()
	s.Put(table, plain.With("pk", value.String("other")).With("d", number(1)))
	require.Equal(t, 1, s.Entries(table, table.Index("sparse"), s.Now, false).Len())

	table.removeIndex("sparse")
	ix := &Index{Name: "sparse", Key: partition(attribute("d", value.KindNumber))}
	table.AddIndex(ix)
	for _, item := range s.Entries(table, ix, s.Now, false).From("") {
		require.Equal(t, value.String("other"), item.Get("pk"))
	}
	require.Equal(t, 1, s.Entries(table, ix, s.Now, false).Len(), "it is filled with what there is")
}

// TestNewIndexLagsFromItsCreation writes to an index that was created while others lagged.
func TestNewIndexLagsFromItsCreation(t *testing.T) {
	t.Parallel()
	for _, lag := range []time.Duration{time.Minute, Forever} {
		s := NewState()
		s.Now, s.Lag = epoch, Lag{Indexes: lag}
		table := newTable(s, "from then on")
		key := randomKey(newRand(t))
		s.Put(table, key.With("pk", value.String("before")).With("d", number(1)))
		ix := &Index{Name: "later", Key: partition(attribute("d", value.KindNumber))}
		table.AddIndex(ix)
		s.Now = s.Now.Add(time.Second)
		s.Put(table, key.With("pk", value.String("after")).With("d", number(2)))

		require.Equal(t, 1, s.Entries(table, ix, s.Now, false).Len())
		require.Equal(t, 2, s.Entries(table, ix, s.Now, true).Len())
		if lag != Forever {
			require.Equal(t, 2, s.Entries(table, ix, s.Now.Add(lag), false).Len())
		}
		s.Settle()
		require.Equal(t, 2, s.Entries(table, ix, s.Now, false).Len())
	}
}

// TestRestoreReusesNoSequenceNumber writes after a restore: a stream reader that continues from a
// sequence number misses nothing.
func TestRestoreReusesNoSequenceNumber(t *testing.T) {
	t.Parallel()
	key := randomKey(newRand(t))
	db := NewDB(&clock.Clock{})
	written := int64(0)
	write := func(n int) (numbers []uint64) {
		s := db.state
		for range n {
			written++
			s.Put(s.Tables["numbered"], key.With("n", number(written)))
		}
		for _, c := range s.Tables["numbered"].Stream.Records.From("") {
			numbers = append(numbers, c.Sequence)
		}
		return numbers[len(numbers)-n:]
	}
	table := newTable(db.state, "numbered")
	db.state.OpenStream(table, "KEYS_ONLY")
	snapshot := db.Snapshot()
	before := write(5)
	db.Restore(snapshot)
	after := write(3)
	require.Greater(t, after[0], before[4])

	// the same holds after restoring a state with a higher sequence number
	ahead := db.Snapshot()
	ahead.Sequence += 1000
	db.Restore(ahead)
	require.Greater(t, write(1)[0], ahead.Sequence)
}

// TestOldVersionsAreDropped counts the stored versions: at most one for each time that a stale read
// may see, and one if the lag is Forever.
func TestOldVersionsAreDropped(t *testing.T) {
	t.Parallel()
	key := randomKey(newRand(t))
	for _, test := range []struct {
		lag, step time.Duration // between writes
		most      int
	}{
		{0, time.Millisecond, 0},
		{time.Hour, 0, 1},
		{100 * time.Millisecond, time.Millisecond, 100},
		{Forever, time.Millisecond, 1},
	} {
		s := NewState()
		s.Now, s.Lag = epoch, Lag{Items: test.lag, Indexes: test.lag}
		table, longest := newTable(s, "short"), 0
		for n := range 1_000 {
			s.Now = s.Now.Add(test.step)
			s.Put(table, key.With("n", number(int64(n))))
			longest = max(longest, len(table.itemVersions), len(table.indexVersions))
		}
		require.Equal(t, test.most, longest, "%+v", test)
	}
}
