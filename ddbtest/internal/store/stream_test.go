package store

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest/internal/value"
	"github.com/trestledb/trestle/internal/testsize"
)

// streaming returns a state with one table, whose stream is enabled.
func streaming(now time.Time) (*State, *Table) {
	s := NewState()
	s.Now = now
	t := newTable(s, "streaming")
	s.OpenStream(t, "NEW_AND_OLD_IMAGES")
	return s, t
}

func changes(st *Stream) []Change {
	var all []Change
	for _, c := range st.Records.From("") {
		all = append(all, c)
	}
	return all
}

// TestStreamRecords writes at random, and checks that exactly the changes are recorded.
func TestStreamRecords(t *testing.T) {
	t.Parallel()
	r := newRand(t)
	s, table := streaming(epoch)
	var want []Change
	for range testsize.Pick(2_000, 20_000) {
		s.Now = s.Now.Add(time.Millisecond)
		var old, item value.Map
		if r.IntN(8) == 0 { // put an unchanged item
			item = randomKey(r)
			if there := table.Get(item); there != nil {
				item = there
			}
			old = s.Put(table, item)
		} else {
			old, item = write(r, s, table)
		}
		if !old.Equal(item) {
			want = append(want, Change{Sequence: s.Sequence, At: s.Now, Old: old, New: item})
		}
	}
	got := changes(table.Stream)
	require.Len(t, got, len(want))
	for i, c := range got {
		require.Equal(t, want[i], c)
	}
}

// TestRecordsOfExpiredItems checks the record of an expired item.
func TestRecordsOfExpiredItems(t *testing.T) {
	t.Parallel()
	s, table := streaming(epoch)
	s.SetTTL(table, "ttl")
	item := randomKey(newRand(t)).With("ttl", number(epoch.Unix()+60))
	s.Put(table, item)
	s.Now = epoch.Add(time.Minute)
	s.Sweep(0)
	require.Equal(t, []bool{false, true}, []bool{changes(table.Stream)[0].Expired, changes(table.Stream)[1].Expired})
	require.Equal(t, item, changes(table.Stream)[1].Old)
}

// TestShards advances the clock by days: shards are closed after four hours, a child replaces them,
// and records are trimmed after a day.
func TestShards(t *testing.T) {
	t.Parallel()
	testsize.SkipRace(t)
	r := newRand(t)
	s, table := streaming(epoch)
	st := table.Stream
	for range testsize.Pick(400, 1_500, 4_000) {
		s.Now = s.Now.Add(time.Duration(r.IntN(30)) * time.Minute)
		s.Sweep(0)
		checkShards(t, st, s.Now)
		write(r, s, table)
	}
	require.Positive(t, st.Trimmed)
}

// checkShards checks that the shards have no gaps, and contain every record.
func checkShards(t *testing.T, st *Stream, now time.Time) {
	t.Helper()
	for i, sh := range st.Shards {
		last := i == len(st.Shards)-1
		require.Equal(t, last, sh.End == 0, "only the last one is open")
		if last {
			require.Less(t, now.Sub(sh.Created), shardLife)
			continue
		}
		child := st.Shards[i+1]
		require.GreaterOrEqual(t, sh.End, sh.Start)
		require.Equal(t, sh.End+1, child.Start)
		require.Equal(t, sh.ID, child.Parent)
		require.Less(t, sh.ID, child.ID)
		require.Less(t, now.Sub(sh.ClosedAt), Retention)
	}
	for _, c := range changes(st) {
		require.GreaterOrEqual(t, c.Sequence, st.Shards[0].Start)
		require.Greater(t, c.Sequence, st.Trimmed)
		require.Less(t, now.Sub(c.At), Retention)
	}
}

// TestShardsStayInOrderWhenTheClockIsSetBack opens a shard at an earlier time than its parent.
func TestShardsStayInOrderWhenTheClockIsSetBack(t *testing.T) {
	t.Parallel()
	s, table := streaming(epoch)
	s.Now = epoch.Add(shardLife)
	s.Sweep(0)
	s.Now = epoch.Add(-time.Hour)
	s.closeShard(table.Stream)
	s.openShard(table.Stream)
	shards := table.Stream.Shards
	require.Len(t, shards, 3)
	require.Less(t, shards[0].ID, shards[1].ID)
	require.Less(t, shards[1].ID, shards[2].ID)
}

// TestClosedStreams disables and enables a stream, until the disabled one is deleted.
func TestClosedStreams(t *testing.T) {
	t.Parallel()
	r := newRand(t)
	s, table := streaming(epoch)
	first := table.Stream
	s.Put(table, randomItem(r))
	s.CloseStream(table)
	s.CloseStream(table) // no change
	require.Nil(t, table.Stream)
	require.NotZero(t, first.Shards[0].End)
	s.Put(table, randomItem(r))
	require.Equal(t, 1, first.Records.Len())

	s.OpenStream(table, "KEYS_ONLY")
	require.NotEqual(t, first.ARN, table.Stream.ARN, "in the same millisecond")
	require.Len(t, s.Streams, 2)

	s.Now = epoch.Add(Retention)
	s.Sweep(0)
	require.Len(t, s.Streams, 1)
	require.Equal(t, table.Stream, s.Streams[table.StreamARN])
}

// TestClosedStreamsAreTrimmed disables a stream before its only record is a day old.
func TestClosedStreamsAreTrimmed(t *testing.T) {
	t.Parallel()
	s, table := streaming(epoch)
	st := table.Stream
	s.Put(table, randomItem(newRand(t)))
	s.Now = epoch.Add(time.Hour)
	s.CloseStream(table)
	for _, step := range []struct {
		after time.Duration
		left  int
	}{{Retention - 1, 1}, {Retention, 0}} {
		s.Now = epoch.Add(step.after)
		s.Sweep(0)
		require.Equal(t, step.left, st.Records.Len())
	}
}

// TestStreamsOutliveTheirTables deletes a table.
func TestStreamsOutliveTheirTables(t *testing.T) {
	t.Parallel()
	s, table := streaming(epoch)
	s.Put(table, randomItem(rand.New(rand.NewPCG(1, 1))))
	table.DeleteAt = s.Now
	s.AddDue(table)
	s.Sweep(0)
	require.Empty(t, s.Tables)
	require.Equal(t, 1, s.Streams[table.StreamARN].Records.Len())
	require.Equal(t, epoch, s.Streams[table.StreamARN].ClosedAt)
}
