package transact_test

import (
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest"
)

// Each action costs twice the units of the single operation. A ConditionCheck costs as much as a
// write, and a missing item as much as the smallest one.
func TestCapacityOfWrites(t *testing.T) {
	t.Parallel()
	c := newClient(t)
	keep(t, c, texts, item("pk", "large", "x", strings.Repeat("x", 2500)), item("pk", "shrinks", "x", strings.Repeat("x", 2500)))
	for name, w := range map[string]struct {
		action action
		want   float64
	}{
		"a new item":           {put(item("pk", "a")), 2},
		"one above a step":     {put(item("pk", "b", "x", strings.Repeat("x", 1024))), 4},
		"one that shrinks":     {put(item("pk", "shrinks")), 6},
		"one with a condition": {when(put(item("pk", "d")), "attribute_not_exists(pk)"), 2},
		"a check":              {check(item("pk", "large"), "attribute_exists(x)"), 6},
		"a check of nothing":   {check(item("pk", "none"), "attribute_not_exists(x)"), 2},
		"a delete of nothing":  {remove(item("pk", "none")), 2},
	} {
		out, err := c.TransactWriteItems(t.Context(), &dynamodb.TransactWriteItemsInput{
			TransactItems: []action{w.action}, ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal,
		})
		require.NoError(t, err, name)
		require.Equal(t, []types.ConsumedCapacity{{TableName: ptr(texts), CapacityUnits: &w.want, WriteCapacityUnits: &w.want}}, out.ConsumedCapacity, name)
		require.Empty(t, out.ItemCollectionMetrics)
	}
}

func TestCapacityAndCollectionsByTable(t *testing.T) {
	t.Parallel()
	c := newClient(t)
	out, err := c.TransactWriteItems(t.Context(), &dynamodb.TransactWriteItemsInput{
		TransactItems: []action{
			put(item("pk", "a")),
			on(indexed, put(item("pk", "a", "sk", "1"))),
			on(numbers, put(item("pk", 1))),
			on(indexed, update(item("pk", "a", "sk", "2"), "SET x = :x", ":x", 1)),
			on(indexed, remove(item("pk", "b", "sk", "1"))),
			on(indexed, check(item("pk", "c", "sk", "1"), "attribute_not_exists(pk)")),
		},
		ReturnConsumedCapacity:      types.ReturnConsumedCapacityIndexes,
		ReturnItemCollectionMetrics: types.ReturnItemCollectionMetricsSize,
	})
	require.NoError(t, err)
	units := func(table string, n float64) types.ConsumedCapacity {
		return types.ConsumedCapacity{
			TableName: &table, CapacityUnits: &n, WriteCapacityUnits: &n, Table: &types.Capacity{CapacityUnits: &n, WriteCapacityUnits: &n},
		}
	}
	require.Equal(t, []types.ConsumedCapacity{units(texts, 2), units(indexed, 8), units(numbers, 2)}, out.ConsumedCapacity, "in the request's order")
	size := []float64{0, 1}
	require.Equal(t, map[string][]types.ItemCollectionMetrics{indexed: {
		{ItemCollectionKey: item("pk", "a"), SizeEstimateRangeGB: size}, {ItemCollectionKey: item("pk", "b"), SizeEstimateRangeGB: size},
	}}, out.ItemCollectionMetrics, "each collection that was written to, once")
}

// Indexes are updated by ordinary writes, at the ordinary cost.
func TestIndexesAreNotChargedTwice(t *testing.T) {
	t.Parallel()
	c := newClient(t)
	run := func(a action) types.ConsumedCapacity {
		out, err := c.TransactWriteItems(t.Context(), &dynamodb.TransactWriteItemsInput{
			TransactItems: []action{on(indexed, a)}, ReturnConsumedCapacity: types.ReturnConsumedCapacityIndexes,
		})
		require.NoError(t, err)
		require.Len(t, out.ConsumedCapacity, 1)
		return out.ConsumedCapacity[0]
	}
	units := func(n float64) types.Capacity { return types.Capacity{CapacityUnits: &n, WriteCapacityUnits: &n} }
	of := func(table, local, global float64) types.ConsumedCapacity {
		return types.ConsumedCapacity{
			TableName: ptr(indexed), CapacityUnits: ptr(table + local + global), WriteCapacityUnits: ptr(table + local + global), Table: ptr(units(table)),
			LocalSecondaryIndexes:  map[string]types.Capacity{"local": units(local)},
			GlobalSecondaryIndexes: map[string]types.Capacity{"global": units(global)},
		}
	}
	key := item("pk", "a", "sk", "1")
	require.Equal(t, of(2, 1, 1), run(put(item("pk", "a", "sk", "1", "l", "1", "g", "1"))))
	require.Equal(t, of(2, 1, 2), run(update(key, "SET g = :g", ":g", "2")), "a new place is a delete and a put")
	require.Equal(t, of(2, 1, 1), run(remove(key)))
}

// A canceled transaction is charged for its items, unless it was canceled before it read them.
func TestCanceledTransactionsCost(t *testing.T) {
	t.Parallel()
	c := newClient(t)
	keep(t, c, texts, item("pk", "a", "x", strings.Repeat("x", 1500)))
	fails := when(put(item("pk", "a")), "attribute_not_exists(pk)")
	for _, run := range []struct {
		actions []action
		cost    float64
	}{
		{[]action{fails, put(item("pk", "b")), check(item("pk", "c"), "attribute_exists(pk)")}, 4 + 2 + 2},
		{[]action{fails, put(item("pk", "b")), put(item("pk", 5))}, 0},
	} {
		db := ddbtest.Of(c)
		before := db.Cost()
		require.Error(t, try(t, c, run.actions...))
		require.InDelta(t, run.cost, db.Cost().WriteUnits-before.WriteUnits, 0)
	}
}
