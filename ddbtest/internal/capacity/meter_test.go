package capacity

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest/internal/api"
	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
)

func TestConsumed(t *testing.T) {
	t.Parallel()
	var m Meter
	m.Add(Use{Table: "a", Read: 0.5})
	m.Add(Use{Table: "a", Write: 2})
	m.Add(Use{Table: "a", Index: "local", Local: true, Write: 1})
	m.Add(Use{Table: "a", Index: "global", Write: 3})
	m.Add(Use{Table: "a", Index: "global", Read: 1})
	m.Add(Use{Table: "b", Read: 4})

	for _, mode := range []string{"", "NONE"} {
		require.Nil(t, m.Consumed("a", mode, true))
		require.Empty(t, m.All(mode, true))
	}
	require.Equal(t, &api.ConsumedCapacity{TableName: "a", CapacityUnits: unitsOf(7.5)}, m.Consumed("a", "TOTAL", false))
	require.Equal(t, &api.ConsumedCapacity{
		TableName: "a", CapacityUnits: unitsOf(7.5), ReadCapacityUnits: unitsOf(1.5), WriteCapacityUnits: unitsOf(6),
		Table:                  &api.Capacity{CapacityUnits: unitsOf(2.5), ReadCapacityUnits: unitsOf(0.5), WriteCapacityUnits: unitsOf(2)},
		LocalSecondaryIndexes:  map[string]api.Capacity{"local": {CapacityUnits: unitsOf(1), WriteCapacityUnits: unitsOf(1)}},
		GlobalSecondaryIndexes: map[string]api.Capacity{"global": {CapacityUnits: unitsOf(4), ReadCapacityUnits: unitsOf(1), WriteCapacityUnits: unitsOf(3)}},
	}, m.Consumed("a", "INDEXES", true))
	require.Equal(t, []*api.ConsumedCapacity{
		{TableName: "a", CapacityUnits: unitsOf(7.5)},
		{TableName: "b", CapacityUnits: unitsOf(4)},
	}, m.All("TOTAL", false))
}

// A table without a use has no capacity. A table with a use of 0 units has, and lists no unused
// index.
func TestUseOfZeroUnits(t *testing.T) {
	t.Parallel()
	var m Meter
	require.Empty(t, m.All("TOTAL", false))
	m.Add(Use{Table: "a"})
	require.Equal(t, []*api.ConsumedCapacity{{TableName: "a", CapacityUnits: unitsOf(0), Table: &api.Capacity{CapacityUnits: unitsOf(0)}}}, m.All("INDEXES", true))
}

// Every unit appears once in each sum of its own table, and in no other table.
func TestSums(t *testing.T) {
	t.Parallel()
	r := testrand.New(t)
	naiveFails := false
	for range testsize.Pick(500, 5_000, 20_000) {
		var m Meter
		want, all := map[string]float64{}, 0.0
		for range r.IntN(20) {
			u := Use{Table: fmt.Sprint("t", r.IntN(3)), Read: float64(r.IntN(4)) / 2, Write: float64(r.IntN(4))}
			if r.IntN(2) == 0 {
				u.Index, u.Local = fmt.Sprint("i", r.IntN(3)), r.IntN(2) == 0
			}
			m.Add(u)
			want[u.Table] += u.Read + u.Write
			all += u.Read + u.Write
		}
		for _, c := range m.All("INDEXES", true) {
			require.InDelta(t, want[c.TableName], *c.CapacityUnits, 0)
			require.InDelta(t, want[c.TableName], sum(c.ReadCapacityUnits)+sum(c.WriteCapacityUnits), 0)
			parts := sum(c.Table.CapacityUnits)
			for _, indexes := range []map[string]api.Capacity{c.LocalSecondaryIndexes, c.GlobalSecondaryIndexes} {
				for _, i := range indexes {
					parts += sum(i.CapacityUnits)
				}
			}
			require.InDelta(t, want[c.TableName], parts, 0)
			naiveFails = naiveFails || *c.CapacityUnits != all
		}
	}
	require.True(t, naiveFails, "a sum over all tables would have done")
}

func unitsOf(n float64) *float64 { return &n }

func sum(n *float64) float64 {
	if n == nil {
		return 0
	}
	return *n
}
