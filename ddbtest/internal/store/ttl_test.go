package store

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest/internal/clock"
	"github.com/trestledb/trestle/ddbtest/internal/decimal"
	"github.com/trestledb/trestle/ddbtest/internal/value"
	"github.com/trestledb/trestle/internal/testsize"
)

// expiring is a table whose items expire by the attribute "ttl", with its expected items.
type expiring struct {
	db    *DB
	delay time.Duration
	times map[string]int64 // by place; 0 never expires
}

func (e *expiring) write(r *rand.Rand) {
	_ = e.db.Update(func(s *State) error {
		t := s.Tables["expiring"]
		item := randomKey(r)
		at := s.Now.Unix() + r.Int64N(200) - 100
		oldest := s.Now.Add(-longPast).Unix()
		switch r.IntN(8) {
		case 0:
			at = 0
		case 1:
			at = oldest + r.Int64N(3) - 2
		case 2:
			at = math.MaxInt64
		}
		if at != 0 {
			item = item.With("ttl", number(at))
		}
		s.Put(t, item)
		if at < oldest {
			at = 0 // ignored by the service
		}
		e.times[t.Key.Place(item)] = at
		return nil
	})
}

// check compares the table with the items that must be left.
func (e *expiring) check() error {
	return e.db.View(func(s *State) error {
		now := e.db.Clock.Now()
		newest := now.Add(-e.delay).Unix()
		for place, at := range e.times {
			if at != 0 && at <= newest {
				delete(e.times, place)
			}
		}
		t := s.Tables["expiring"]
		for place := range t.items.From("") {
			if _, ok := e.times[place]; !ok {
				return errors.New("an item outlived its time")
			}
		}
		if t.Len() != len(e.times) {
			return fmt.Errorf("%d items are left, not %d", t.Len(), len(e.times))
		}
		return nil
	})
}

// TestExpiry moves the clock at random, and checks which items are left. The negative control does
// not sweep.
func TestExpiry(t *testing.T) {
	t.Parallel()
	r := newRand(t)
	steps := testsize.Pick(3_000, 50_000)
	synctest.Test(t, func(t *testing.T) {
		require.NoError(t, runExpiry(r, steps, (*DB).Sweep))
		require.Error(t, runExpiry(r, steps, func(*DB, time.Duration) {}), "the check did not see items that never expire")
	})
}

func runExpiry(r *rand.Rand, steps int, sweep func(*DB, time.Duration)) error {
	e := &expiring{db: NewDB(&clock.Clock{}), delay: 30 * time.Second, times: map[string]int64{}}
	_ = e.db.Update(func(s *State) error {
		s.SetTTL(newTable(s, "expiring"), "ttl")
		return nil
	})
	for range steps {
		if r.IntN(3) == 0 {
			e.db.Clock.Advance(time.Duration(r.IntN(20)) * time.Second)
		} else {
			e.write(r)
		}
		sweep(e.db, e.delay)
		if err := e.check(); err != nil {
			return err
		}
	}
	return nil
}

// TestLongAdvances advances the clock by more years than the age limit of expiry times. Items
// that expire meanwhile are deleted. An item that was too old when it was written, or when TTL was
// enabled, remains.
func TestLongAdvances(t *testing.T) {
	t.Parallel()
	r := newRand(t)
	synctest.Test(t, func(t *testing.T) {
		db := NewDB(&clock.Clock{})
		item := func(name string, expiry time.Duration) value.Map {
			return randomKey(r).With("pk", value.String(name)).With("ttl", number(time.Now().Add(expiry).Unix()))
		}
		_ = db.Update(func(s *State) error {
			table := newTable(s, "jumping")
			for name, expiry := range map[string]time.Duration{"there, soon": time.Hour, "there, too old": -longPast - time.Hour} {
				s.Put(table, item(name, expiry))
			}
			s.SetTTL(table, "ttl")
			for name, expiry := range map[string]time.Duration{
				"soon": time.Hour, "later": longPast, "after": 2 * longPast, "long past": -longPast + time.Hour, "too old": -longPast - time.Hour,
			} {
				s.Put(table, item(name, expiry))
			}
			s.Put(table, item("became too old", time.Hour))
			s.Put(table, item("became too old", -longPast-time.Hour))
			return nil
		})
		db.Clock.Advance(longPast + 365*24*time.Hour)
		db.Sweep(48 * time.Hour)
		_ = db.View(func(s *State) error {
			var left []string
			for _, item := range s.Tables["jumping"].items.From("") {
				left = append(left, string(item.Get("pk").(value.String)))
			}
			require.ElementsMatch(t, []string{"there, too old", "after", "too old", "became too old"}, left)
			return nil
		})
	})
}

// TestExpiryTimes checks expiry times in every form.
func TestExpiryTimes(t *testing.T) {
	t.Parallel()
	table := &Table{TTL: TTL{Attribute: "ttl"}}
	parse := func(text string) value.Value {
		d, err := decimal.Parse(text)
		require.NoError(t, err)
		return value.Number{Decimal: d}
	}
	for _, test := range []struct {
		ttl  value.Value
		want int64
	}{
		{parse("17"), 17},
		{parse("17.9"), 17},
		{parse("1.7e1"), 17},
		{parse("9223372036854775807"), math.MaxInt64},
		{parse("9223372036854775808"), 0},
		{parse("1e100"), 0},
		{parse("0"), 0},
		{parse("0.5"), 0},
		{parse("-17"), 0},
		{value.String("17"), 0},
		{nil, 0},
	} {
		item := value.Map{}
		if test.ttl != nil {
			item = item.With("ttl", test.ttl)
		}
		got, ok := table.expiresAt(item)
		require.Equal(t, test.want != 0, ok, "%v", test.ttl)
		if ok {
			require.Equal(t, test.want, got, "%v", test.ttl)
		}
	}
}

// TestTTLOfExistingItems enables and disables TTL for a table with items.
func TestTTLOfExistingItems(t *testing.T) {
	t.Parallel()
	s := NewState()
	s.Now = epoch
	table := newTable(s, "filled")
	past, later := randomKey(newRand(t)).With("pk", value.String("past")), randomKey(newRand(t)).With("pk", value.String("later"))
	s.Put(table, past.With("ttl", number(epoch.Unix()-1)))
	s.Put(table, later.With("ttl", number(epoch.Unix()+10)))
	s.Sweep(0)
	require.Equal(t, 2, table.Len())

	s.SetTTL(table, "ttl")
	s.Sweep(0)
	require.Equal(t, 1, table.Len())

	s.SetTTL(table, "")
	s.Now = epoch.Add(time.Hour)
	s.Sweep(0)
	require.Equal(t, 1, table.Len())
}
