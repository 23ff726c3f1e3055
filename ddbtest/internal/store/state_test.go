package store

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest/internal/value"
	"github.com/trestledb/trestle/internal/testsize"
)

// fork is a state with its expected contents.
type fork struct {
	state   *State
	items   map[string]value.Map // by place
	records []Change             // by the stream
}

func (f *fork) table() *Table { return f.state.Tables["forked"] }

func (f *fork) write(r *rand.Rand) {
	t := f.table()
	old, item := write(r, f.state, t)
	maps.DeleteFunc(f.items, func(place string, _ value.Map) bool {
		_, there := t.items.Get(place)
		return !there
	})
	if item != nil {
		f.items[t.Key.Place(item)] = item
	}
	if !old.Equal(item) {
		f.records = append(f.records, Change{Sequence: f.state.Sequence, At: epoch, Old: old, New: item})
	}
}

func (f *fork) check() error {
	t := f.table()
	if t.Len() != len(f.items) {
		return fmt.Errorf("%d items, not %d", t.Len(), len(f.items))
	}
	for place, item := range f.items {
		if got, _ := t.items.Get(place); !got.Equal(item) {
			return fmt.Errorf("%v, not %v", got, item)
		}
	}
	if f.state.Streams[t.Stream.ARN] != t.Stream {
		return errors.New("the table's stream is not that of its ARN")
	}
	if got := changes(t.Stream); !reflect.DeepEqual(got, f.records) {
		return fmt.Errorf("records %v, not %v", got, f.records)
	}
	for _, ix := range t.Indexes {
		if err := checkIndex(t, ix); err != nil {
			return err
		}
	}
	return nil
}

// TestForksAreIndependent writes to forks of forks at random, and checks that none sees writes to
// another. The negative control is a copy that shares its tables.
func TestForksAreIndependent(t *testing.T) {
	t.Parallel()
	testsize.SkipRace(t)
	r := newRand(t)
	shared := func(s *State) *State {
		c := *s
		c.Tables = maps.Clone(s.Tables)
		return &c
	}
	steps := testsize.Pick(400, 1_500, 4_000)
	require.NoError(t, runForks(r, steps, (*State).Clone))
	require.Error(t, runForks(r, steps, shared), "the check did not see forks that share their tables")
}

func runForks(r *rand.Rand, steps int, clone func(*State) *State) error {
	s := NewState()
	s.Now = epoch
	s.OpenStream(newTable(s, "forked"), "KEYS_ONLY")
	forks := []*fork{{state: s, items: map[string]value.Map{}}}
	for range steps {
		f := forks[r.IntN(len(forks))]
		if len(forks) < 8 && r.IntN(20) == 0 {
			forks = append(forks, &fork{clone(f.state), maps.Clone(f.items), slices.Clone(f.records)})
			continue
		}
		f.write(r)
		if err := forks[r.IntN(len(forks))].check(); err != nil {
			return err
		}
	}
	return nil
}

// TestCloneCostsTheSameAtAnySize counts the allocations of a clone and of the first write to it.
// It is not parallel, because it counts the allocations of the whole process.
func TestCloneCostsTheSameAtAnySize(t *testing.T) {
	cost := func(items int64) float64 {
		s := NewState()
		table := newTable(s, "large")
		for i := range items {
			s.Put(table, value.MapOf(value.Attribute{Name: "pk", Value: value.String("p")}, value.Attribute{Name: "sk", Value: number(i)}))
		}
		return testing.AllocsPerRun(5, func() { s.Clone() })
	}
	require.InDelta(t, cost(10), cost(int64(testsize.Pick(10_000, 50_000, 300_000))), 0)
}

// TestWritesReturnWhatTheyReplace also checks the counts of the table.
func TestWritesReturnWhatTheyReplace(t *testing.T) {
	t.Parallel()
	s := NewState()
	table := newTable(s, "plain")
	key := randomKey(newRand(t))
	first, second := key.With("d", number(1)), key.With("d", number(100))

	require.Nil(t, s.Put(table, first))
	require.Equal(t, first, s.Put(table, second))
	require.Equal(t, second, table.Get(key))
	require.Equal(t, int64(second.Size()), table.Size())
	require.Equal(t, second, s.Delete(table, key))
	require.Nil(t, s.Delete(table, key))
	require.Zero(t, table.Size())
	require.Zero(t, table.Len())
}
