package ddbtest_test

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest"
)

// transactionCost runs a transaction, optionally with a token, and returns what it used.
func (s *session) transactionCost(token string, actions ...types.TransactWriteItem) *types.ConsumedCapacity {
	s.Helper()
	out, err := s.client.TransactWriteItems(s.Context(), &dynamodb.TransactWriteItemsInput{
		TransactItems: actions, ClientRequestToken: ptr(token), ReturnConsumedCapacity: types.ReturnConsumedCapacityIndexes,
	})
	require.NoError(s, err)
	require.Len(s, out.ConsumedCapacity, 1)
	return &out.ConsumedCapacity[0]
}

// TestTransactionCapacity checks that table writes cost twice the units and index writes once.
// DynamoDB Local doubles both, and charges less for missing items.
func TestTransactionCapacity(t *testing.T) {
	t.Parallel()
	s := onDDBTest(t, tableWithIndexes())
	key := row("pk", "a", "sk", "b")
	put := func(r attributes) types.TransactWriteItem {
		return types.TransactWriteItem{Put: &types.Put{TableName: &s.table, Item: r}}
	}
	remove := types.TransactWriteItem{Delete: &types.Delete{TableName: &s.table, Key: key}}
	check := func(condition string) types.TransactWriteItem {
		return types.TransactWriteItem{ConditionCheck: &types.ConditionCheck{TableName: &s.table, Key: key, ConditionExpression: &condition}}
	}
	for name, c := range writeCosts {
		s.delete(key)
		if c.old != nil {
			s.put(c.old)
		}
		want := units{}
		for index, n := range c.want {
			want[index] = n
		}
		want["table"] *= 2
		action := remove
		if c.new != nil {
			action = put(c.new)
		}
		got := s.transactionCost("", action)
		require.Equal(t, want.sum(), used(t, got), name)
		require.InDelta(t, want[""], *got.WriteCapacityUnits, 0)
		require.InDelta(t, want["table"], *got.Table.WriteCapacityUnits, 0)
		require.Nil(t, got.ReadCapacityUnits)
		require.Nil(t, got.Table.ReadCapacityUnits)
		for index, part := range got.GlobalSecondaryIndexes {
			require.InDelta(t, want[index], *part.WriteCapacityUnits, 0)
		}
	}
	s.delete(key)
	require.Equal(t, units{"table": 2}.sum(), used(t, s.transactionCost("", remove)), "nothing to delete")
	require.Equal(t, units{"table": 2}.sum(), used(t, s.transactionCost("", check("attribute_not_exists(pk)"))), "nothing to look at")
	s.put(of(2500, "g", "g", "x", "x"))
	require.Equal(t, units{"table": 6}.sum(), used(t, s.transactionCost("", check("attribute_exists(pk)"))), "a look is charged as a write")
}

// TestRepeatedTransactionCapacity checks that it is charged for reading the current rows.
func TestRepeatedTransactionCapacity(t *testing.T) {
	t.Parallel()
	s := onDDBTest(t, tableWithIndexes())
	s.put(of(9000))
	actions := []types.TransactWriteItem{
		{Put: &types.Put{TableName: &s.table, Item: of(3000, "g", "g")}},
		{Put: &types.Put{TableName: &s.table, Item: row("pk", "new", "sk", "b", "v", letters(5000))}},
		{Delete: &types.Delete{TableName: &s.table, Key: row("pk", "none", "sk", "b")}},
	}
	first := s.transactionCost("token", actions...)
	require.Equal(t, units{"table": 2 * (9 + 5 + 1), "gkeys": 1, "gsome": 1, "gall": 3}.sum(), used(t, first))
	again := s.transactionCost("token", actions...)
	require.Equal(t, units{"table": 2 * (1 + 2 + 1)}.sum(), used(t, again))
	require.InDelta(t, 8, *again.ReadCapacityUnits, 0)
	require.Nil(t, again.WriteCapacityUnits)
	s.put(of(9000))
	s.delete(row("pk", "new", "sk", "b"))
	require.Equal(t, units{"table": 2 * (3 + 1 + 1)}.sum(), used(t, s.transactionCost("token", actions...)))
}

// TestCanceledTransactionCapacity checks that a canceled transaction has a cost, which its
// error does not return.
func TestCanceledTransactionCapacity(t *testing.T) {
	t.Parallel()
	s := onDDBTest(t, tableWithIndexes())
	s.put(of(2500, "g", "g"))
	cost := ddbtest.Of(s.client).Measure(func() {
		err := s.transact(
			types.TransactWriteItem{Put: &types.Put{TableName: &s.table, Item: row("pk", "b", "sk", "b")}},
			types.TransactWriteItem{ConditionCheck: &types.ConditionCheck{
				TableName: &s.table, Key: row("pk", "a", "sk", "b"), ConditionExpression: aws.String("attribute_not_exists(pk)"),
			}},
		)
		wantCode(t, "TransactionCanceledException", err)
	})
	require.Positive(t, cost.WriteUnits+cost.ReadUnits)
	require.Empty(t, s.get(row("pk", "b", "sk", "b")))
}

// TestTransactGetCapacity checks that each row costs two units per 4 KB and is rounded up
// separately.
func TestTransactGetCapacity(t *testing.T) {
	t.Parallel()
	s := onDDBTest(t, tableWithIndexes())
	s.put(of(4097), row("pk", "c", "sk", "d"))
	read := func(keys ...attributes) *types.ConsumedCapacity {
		in := &dynamodb.TransactGetItemsInput{ReturnConsumedCapacity: types.ReturnConsumedCapacityIndexes}
		for _, key := range keys {
			in.TransactItems = append(in.TransactItems, types.TransactGetItem{Get: &types.Get{TableName: &s.table, Key: key, ProjectionExpression: aws.String("sk")}})
		}
		out, err := s.client.TransactGetItems(t.Context(), in)
		require.NoError(t, err)
		return &out.ConsumedCapacity[0]
	}
	large, small, none := row("pk", "a", "sk", "b"), row("pk", "c", "sk", "d"), row("pk", "e", "sk", "f")
	require.Equal(t, units{"table": 4}.sum(), used(t, read(large)))
	require.Equal(t, units{"table": 4 + 2}.sum(), used(t, read(large, small)))
	require.Equal(t, units{"table": 2}.sum(), used(t, read(none)))
	all := read(large, small, none)
	require.Equal(t, units{"table": 8}.sum(), used(t, all))
	require.InDelta(t, 8, *all.ReadCapacityUnits, 0)
	require.Nil(t, all.WriteCapacityUnits)
}
