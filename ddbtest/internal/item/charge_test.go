package item

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest/internal/api"
	"github.com/trestledb/trestle/ddbtest/internal/store"
	"github.com/trestledb/trestle/ddbtest/internal/value"
	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
)

// kilobytes returns the size in KB, rounded up.
func kilobytes(bytes int) float64 { return float64((bytes + 1023) / 1024) }

// entry returns the index entry of an item, or nil if there is none.
func entry(item value.Map, local bool, projected ...string) value.Map {
	if item == nil || local && item.Get("l") == nil || !local && item.Get("g") == nil {
		return nil
	}
	if projected == nil {
		return item
	}
	return item.Pick(projected...)
}

// indexCost returns the units of a write in an index, from its old and new entry.
func indexCost(old, item value.Map, key ...string) float64 {
	moved := old != nil && item != nil && !value.Equal(old.Pick(key...), item.Pick(key...))
	switch {
	case old != nil && item != nil && value.Equal(old, item):
		return 0
	case moved:
		return kilobytes(old.Size()) + kilobytes(item.Size())
	default:
		return max(kilobytes(old.Size()), kilobytes(item.Size()))
	}
}

// TestChargeOfWrites checks the units of the table and of each index. The size of the new item
// alone does not determine them.
func TestChargeOfWrites(t *testing.T) {
	t.Parallel()
	r := testrand.New(t)
	tooSimple := 0
	db := newDB(t)
	state := map[string]value.Map{}
	for range testsize.Pick(3000, 10_000, 50_000) {
		next := randomItem(r).With("v", value.String(strings.Repeat("v", 700*r.IntN(6))))
		if r.IntN(2) == 0 {
			next = next.With("x", value.String(strings.Repeat("x", 500*r.IntN(5))))
		}
		old := state[keyOf(next)]
		if r.IntN(5) == 0 {
			next = next.Pick("pk", "sk")
			state[keyOf(next)] = nil
		} else {
			state[keyOf(next)] = next
		}
		kind, item := PutKind, next
		if state[keyOf(next)] == nil {
			kind, item = DeleteKind, nil
		}
		want := map[string]float64{
			"local": indexCost(entry(old, true), entry(item, true), "l"),
			"keys":  indexCost(entry(old, false, "pk", "sk", "g"), entry(item, false, "pk", "sk", "g"), "g"),
			"some":  indexCost(both(old), both(item), "g", "l"),
		}
		for name, n := range want {
			if n == 0 {
				delete(want, name)
			}
		}
		want[""] = max(1, kilobytes(old.Size()), kilobytes(item.Size()))

		c := call(db)
		require.NoError(t, db.Update(func(s *store.State) error {
			a, err := Parse(Write{Kind: kind, TableName: indexed, Item: next})
			require.NoError(t, err)
			require.NoError(t, a.Bind(s))
			require.NoError(t, a.Evaluate())
			a.Commit(c, s, false)
			return nil
		}))
		got := map[string]float64{}
		for _, u := range c.Meter.Uses() {
			require.Equal(t, indexed, u.Table)
			require.Equal(t, u.Index == "local", u.Local)
			require.NotEmpty(t, u.Partition)
			require.Zero(t, u.Read)
			got[u.Index] += u.Write
		}
		require.Equal(t, want, got, "%v to %v", old, item)
		if want[""] != max(1, kilobytes(item.Size())) {
			tooSimple++
		}
	}
	require.Positive(t, tooSimple)
}

// both returns the entry of the index whose key has both attributes.
func both(item value.Map) value.Map {
	if item.Get("l") == nil {
		return nil
	}
	return entry(item, false, "pk", "sk", "g", "l", "x")
}

// TestChargeOfFailedWrites checks that a failed write is charged for the existing item.
func TestChargeOfFailedWrites(t *testing.T) {
	t.Parallel()
	db := newDB(t)
	keep(t, db, indexed, of("pk", "a", "sk", "b", "g", "g", "l", 1, "v", strings.Repeat("v", 2000)))
	for sk, want := range map[string]float64{"b": 2, "none": 1} {
		c := call(db)
		_, err := Put(c, &api.PutItemInput{TableName: indexed, Item: of("pk", "a", "sk", sk), ConditionExpression: pointer("attribute_exists(nothing)")})
		require.Error(t, err)
		require.Len(t, c.Meter.Uses(), 1)
		require.InDelta(t, want, c.Meter.Uses()[0].Write, 0)
	}
}

// TestChargeOfReads checks the units and the trace of a read.
func TestChargeOfReads(t *testing.T) {
	t.Parallel()
	db := newDB(t)
	keep(t, db, numbers, of("id", 1, "v", strings.Repeat("v", 5000)))
	for _, c := range []struct {
		id     int
		strong bool
		want   float64
		found  int
	}{{1, true, 2, 1}, {1, false, 1, 1}, {2, true, 1, 0}, {2, false, 0.5, 0}} {
		made := call(db)
		out, err := Get(made, &api.GetItemInput{
			TableName: numbers, Key: of("id", c.id), ConsistentRead: c.strong, ProjectionExpression: pointer("id"), ReturnConsumedCapacity: "TOTAL",
		})
		require.NoError(t, err)
		require.InDelta(t, c.want, *out.ConsumedCapacity.CapacityUnits, 0)
		require.Equal(t, []int{1, c.found}, []int{made.Trace.Evaluated, made.Trace.Returned})
		if c.found == 0 {
			require.Nil(t, out.Item)
			continue
		}
		require.Equal(t, of("id", 1), out.Item)
	}
}
