package store

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest/internal/btree"
	"github.com/trestledb/trestle/ddbtest/internal/value"
	"github.com/trestledb/trestle/internal/testsize"
)

// history is a table with all earlier contents of the table and of one index.
type history struct {
	state *State
	table *Table
	index *Index
	past  []moment
}

type moment struct {
	at             time.Time
	items, entries string
}

func contents(t *btree.Tree[value.Map]) string {
	var all []value.Map
	for _, item := range t.From("") {
		all = append(all, item)
	}
	return fmt.Sprint(all)
}

func (h *history) write(r *rand.Rand) {
	write(r, h.state, h.table)
	h.past = append(h.past, moment{h.state.Now, contents(&h.table.items), contents(&h.index.entries)})
}

// seen returns what a read with the lag must see now.
func (h *history) seen(now time.Time, lag time.Duration) moment {
	seen := moment{items: "[]", entries: "[]"}
	for _, m := range h.past {
		if lag == 0 || lag != Forever && now.Sub(m.at) >= lag {
			seen = m
		}
	}
	return seen
}

// check reads the table and the index, and compares them with the expected contents.
func (h *history) check(now time.Time, read func(now time.Time, consistent bool) (items, entries *btree.Tree[value.Map])) error {
	lag := h.state.Lag
	items, entries := read(now, false)
	if got, want := contents(items), h.seen(now, lag.Items).items; got != want {
		return fmt.Errorf("items %s, not %s", got, want)
	}
	if got, want := contents(entries), h.seen(now, lag.Indexes).entries; got != want {
		return fmt.Errorf("entries %s, not %s", got, want)
	}
	items, _ = read(now, true)
	if got, want := contents(items), h.seen(now, 0).items; got != want {
		return fmt.Errorf("strongly read items %s, not %s", got, want)
	}
	return nil
}

// TestStaleReads reads tables at random times after writes. The negative control reads the current
// state.
func TestStaleReads(t *testing.T) {
	t.Parallel()
	r := newRand(t)
	caught := false
	for range testsize.Pick(40, 120, 1_000) {
		s := NewState()
		s.Now = epoch
		lags := []time.Duration{0, time.Second, 3 * time.Second, Forever}
		s.Lag = Lag{Items: lags[r.IntN(len(lags))], Indexes: lags[r.IntN(len(lags))]}
		table := newTable(s, "stale")
		h := &history{state: s, table: table, index: table.Index("reversed")}
		read := func(now time.Time, consistent bool) (items, entries *btree.Tree[value.Map]) {
			return s.Items(table, now, consistent), s.Entries(table, h.index, now, consistent)
		}
		present := func(time.Time, bool) (items, entries *btree.Tree[value.Map]) { return &table.items, &h.index.entries }
		for range 60 {
			s.Now = s.Now.Add(time.Duration(r.IntN(4)) * 250 * time.Millisecond)
			h.write(r)
			now := s.Now.Add(time.Duration(r.IntN(3)) * time.Second)
			require.NoError(t, h.check(now, read), "%+v", s.Lag)
			caught = caught || h.check(now, present) != nil
		}
		s.Settle()
		require.NoError(t, func() error { s.Lag = Lag{}; return h.check(s.Now, read) }())
	}
	require.True(t, caught, "the check did not see reads of the present")
}

// TestLocalIndexesLagAsTheirTable reads a local index, which supports strongly consistent reads.
func TestLocalIndexesLagAsTheirTable(t *testing.T) {
	t.Parallel()
	s := NewState()
	s.Now, s.Lag = epoch, Lag{Items: Forever}
	table := newTable(s, "local")
	local, global := table.Index("local"), table.Index("reversed")
	s.Put(table, randomKey(newRand(t)).With("b", number(1)))

	require.Zero(t, s.Entries(table, local, s.Now, false).Len())
	require.Equal(t, 1, s.Entries(table, local, s.Now, true).Len())
	require.Equal(t, 1, s.Entries(table, global, s.Now, false).Len())
}

// TestNewIndexesDoNotLag reads an index that did not exist when the version was stored.
func TestNewIndexesDoNotLag(t *testing.T) {
	t.Parallel()
	s := NewState()
	s.Now, s.Lag = epoch, Lag{Indexes: Forever}
	table := newTable(s, "new")
	s.Put(table, randomKey(newRand(t)).With("d", number(1)))
	ix := &Index{Name: "later", Key: partition(attribute("d", value.KindNumber))}
	table.AddIndex(ix)
	require.Equal(t, 1, s.Entries(table, ix, s.Now, false).Len())
}
