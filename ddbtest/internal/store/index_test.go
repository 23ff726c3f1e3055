package store

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest/internal/value"
	"github.com/trestledb/trestle/internal/testsize"
)

// belongs is a simple implementation of [Index.Holds].
func belongs(ix *Index, item value.Map) bool {
	for _, k := range ix.Key.All() {
		v := item.Get(k.Name)
		if v == nil || v.Kind() != k.Kind || v == value.String("") || v == value.Binary("") {
			return false
		}
	}
	return true
}

// checkIndex compares an index with the entries expected from the items of the table.
func checkIndex(t *Table, ix *Index) error {
	wanted := map[string]value.Map{}
	size := 0
	for place, item := range t.items.From("") {
		if belongs(ix, item) {
			wanted[place] = item
			size += ix.Project(item).Size()
		}
	}
	var before value.Map
	for _, entry := range ix.entries.From("") {
		place := t.Key.Place(entry)
		if !wanted[place].Equal(entry) {
			return fmt.Errorf("%s holds %v, which the table does not", ix.Name, entry)
		}
		if before != nil && !inOrder(t, ix, before, entry) {
			return fmt.Errorf("%s holds %v before %v", ix.Name, before, entry)
		}
		delete(wanted, place)
		before = entry
	}
	if len(wanted) > 0 {
		return fmt.Errorf("%s lacks %v", ix.Name, wanted)
	}
	if ix.Size() != int64(size) {
		return fmt.Errorf("%s has a size of %d, not %d", ix.Name, ix.Size(), size)
	}
	return nil
}

// inOrder reports whether two entries of a partition are in the order of their keys. Partitions may
// be in any order.
func inOrder(t *Table, ix *Index, first, second value.Map) bool {
	if !samePicked(first, second, ix.Key.Partition) {
		return true
	}
	keys := slices.Concat(ix.Key.Sort, t.Key.Partition, t.Key.Sort)
	for _, k := range keys {
		if order, _ := value.Compare(first.Get(k.Name), second.Get(k.Name)); order != 0 {
			return order < 0
		}
	}
	return false
}

func samePicked(first, second value.Map, keys []KeyAttribute) bool {
	return !slices.ContainsFunc(keys, func(k KeyAttribute) bool { return !value.Equal(first.Get(k.Name), second.Get(k.Name)) })
}

// TestIndexesEqualTheirTable writes at random, and checks the entries of every index. The
// negative control is an index that does not remove replaced items.
func TestIndexesEqualTheirTable(t *testing.T) {
	t.Parallel()
	testsize.SkipRace(t)
	r := newRand(t)
	s := NewState()
	table := newTable(s, "indexed")
	naive := &Index{Name: "naive", Key: partition(a), Projection: Projection{Type: "ALL"}, table: table}
	caught := false
	for i := range testsize.Pick(3_000, 25_000, 100_000) {
		_, item := write(r, s, table)
		naive.replace(nil, item)
		caught = caught || checkIndex(table, naive) != nil
		if i%10 == 0 {
			for _, ix := range table.Indexes {
				require.NoError(t, checkIndex(table, ix), "after %d writes", i)
			}
		}
	}
	require.True(t, caught, "the check did not see an index that keeps what is gone")
}

// TestBackfill adds an index to a table with items, and deletes it again.
func TestBackfill(t *testing.T) {
	t.Parallel()
	r := newRand(t)
	s := NewState()
	table := newTable(s, "filled")
	for range 200 {
		write(r, s, table)
	}
	d := attribute("d", value.KindString)
	table.Definition = append(table.Definition, d)
	added := &Index{Name: "added", Key: partition(d), Projection: Projection{Type: "ALL"}}
	table.AddIndex(added)
	require.NoError(t, checkIndex(table, added))
	for range 200 {
		write(r, s, table)
	}
	require.NoError(t, checkIndex(table, added))
	table.removeIndex("added")
	require.Nil(t, table.Index("added"))
	require.Equal(t, []KeyAttribute{pk, sk, a, b, c}, table.Definition, "the definition of an attribute that no key needs is gone")
}

// TestIndexLimits checks that items with keys that a write would reject have no entry.
func TestIndexLimits(t *testing.T) {
	t.Parallel()
	long := func(n int) value.Value { return value.String(make([]byte, n)) }
	key := partition(a, pk).sortedBy(b, sk)
	key.Sort[0].Kind = value.KindString
	ix := &Index{Key: key}
	item := value.MapOf(value.Attribute{Name: "pk", Value: value.String("p")}, value.Attribute{Name: "sk", Value: number(1)})
	for _, test := range []struct {
		partition, sort int
		held            bool
	}{{1, 1, true}, {2047, 1022, true}, {2048, 1, false}, {1, 1023, false}, {0, 1, false}, {1, 0, false}} {
		require.Equal(t, test.held, ix.Holds(item.With("a", long(test.partition)).With("b", long(test.sort))), "%+v", test)
	}
}

// TestProject checks the projected attributes of items.
func TestProject(t *testing.T) {
	t.Parallel()
	table := newTable(NewState(), "projected")
	item := randomKey(newRand(t)).With("a", value.String("x")).With("b", number(1)).With("c", value.Binary("y")).With("d", number(2)).With("e", number(3))
	names := func(m value.Map) (n []string) {
		for _, at := range m {
			n = append(n, at.Name)
		}
		return n
	}
	for index, want := range map[string][]string{
		"local":   {"a", "b", "c", "d", "e", "pk", "sk"},
		"sparse":  {"a", "pk", "sk"},
		"several": {"a", "b", "c", "d", "pk", "sk"},
	} {
		entry := table.Index(index).Project(item)
		require.Equal(t, want, names(entry), index)
		require.Equal(t, entry.Size(), table.Index(index).EntrySize(item), index)
	}
	require.Zero(t, table.Index("sparse").EntrySize(item.Without("a")))
}
