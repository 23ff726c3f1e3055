package ddbtest_test

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest"
)

// TestHotPartitions checks that it returns the partitions with the highest load within one
// second.
func TestHotPartitions(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		db := setup(t)
		client := db.Client()
		paint := func(pk string, sk int, color string) {
			_, err := client.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: aws.String(things), Item: thing(pk, sk, attributes{"color": text(color)})})
			require.NoError(t, err)
		}
		for i := range 10 {
			paint(fmt.Sprint("item", i), 1, "red") // all in one partition of the index
		}
		for range 3 {
			require.NoError(t, increment(t.Context(), client))
			<-time.After(time.Second) // not all in one second
		}
		for range 60 {
			require.NoError(t, get(t.Context(), client))
		}
		loads := db.HotPartitions(2)
		require.Equal(t, []ddbtest.PartitionLoad{
			{Table: things, Key: attributes{"pk": text("a")}, Read: 60, Write: 1},
			{Table: things, Index: "byColor", Key: attributes{"color": text("red")}, Write: 10},
		}, loads)
		require.Len(t, db.HotPartitions(100), 12)
		require.Empty(t, db.HotPartitions(0))
		_, err := client.DeleteItem(t.Context(), &dynamodb.DeleteItemInput{TableName: aws.String(things), Key: thing("a", 1)})
		require.NoError(t, err)
		require.Nil(t, db.HotPartitions(1)[0].Key, "nothing with that key is left")
	})
}

// TestLimitPartitions checks that they are throttled until time has passed, and that
// others are not.
func TestLimitPartitions(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		db := setup(t, ddbtest.Options{PartitionLimit: ddbtest.Units{Write: 10}})
		client := db.Client(once)
		write := func() int {
			served := 0
			for range 30 {
				err := increment(t.Context(), client)
				if err == nil {
					served++
					continue
				}
				var throttled *types.ThrottlingException
				require.ErrorAs(t, err, &throttled)
				require.Equal(t, "TableWriteKeyRangeThroughputExceeded", aws.ToString(throttled.ThrottlingReasons[0].Reason))
			}
			return served
		}
		require.Equal(t, 10, write())
		require.Equal(t, 0, write())
		require.Equal(t, 10, n(t, db))
		db.Advance(500 * time.Millisecond)
		require.Equal(t, 5, write())
		<-time.After(time.Hour)
		require.Equal(t, 10, write(), "nothing is saved up")
		require.NoError(t, get(t.Context(), client), "reads have no limit here")

		_, err := client.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: aws.String(things), Item: thing("b", 1)})
		require.NoError(t, err, "another partition")
		require.Equal(t, []string{"ThrottlingError", "None"}, reasons(t, transactWrite(t.Context(), client)))
		out, err := client.BatchWriteItem(t.Context(), &dynamodb.BatchWriteItemInput{RequestItems: map[string][]types.WriteRequest{things: {
			{PutRequest: &types.PutRequest{Item: thing("a", 7)}}, {PutRequest: &types.PutRequest{Item: thing("b", 7)}},
		}}})
		require.NoError(t, err)
		require.Equal(t, thing("a", 7), out.UnprocessedItems[things][0].PutRequest.Item)
		_, err = client.BatchWriteItem(t.Context(), &dynamodb.BatchWriteItemInput{RequestItems: map[string][]types.WriteRequest{things: {
			{PutRequest: &types.PutRequest{Item: thing("a", 7)}},
		}}})
		require.Equal(t, "ThrottlingException", resultOf(err), "nothing of it could be done")

		db.LimitPartitions(ddbtest.Units{})
		require.Equal(t, 30, write())
	})
}

// TestLimitIndexPartitions covers an index with all items in one partition.
func TestLimitIndexPartitions(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		db := setup(t)
		db.LimitPartitions(ddbtest.Units{Read: 5, Write: 10})
		client := db.Client(once)
		served := 0
		for i := range 30 {
			_, err := client.PutItem(t.Context(), &dynamodb.PutItemInput{
				TableName: aws.String(things), Item: thing(fmt.Sprint("item", i), 1, attributes{"color": text("red")}),
			})
			if served++; err == nil {
				continue
			}
			served--
			var throttled *types.ThrottlingException
			require.ErrorAs(t, err, &throttled)
			require.Equal(t, "IndexWriteKeyRangeThroughputExceeded", aws.ToString(throttled.ThrottlingReasons[0].Reason))
			require.Contains(t, aws.ToString(throttled.ThrottlingReasons[0].Resource), "/index/byColor")
		}
		require.Equal(t, 10, served)

		in := queryInput("red")
		in.IndexName, in.KeyConditionExpression = aws.String("byColor"), aws.String("color = :pk")
		pages := 0
		cost := db.Measure(func() {
			for range 30 {
				if _, err := client.Query(t.Context(), in); err == nil {
					pages++
				}
			}
		})
		require.Equal(t, 10, pages)
		require.InDelta(t, 5, cost.ReadUnits, 0, "a throttled page costs nothing")
	})
}

// TestLimitConditionChecks checks that condition checks are throttled like writes.
func TestLimitConditionChecks(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		db := setup(t, ddbtest.Options{PartitionLimit: ddbtest.Units{Write: 4}})
		client := db.Client(once)
		db.Load(t, things, thing("a", 1))
		served := 0
		for range 10 {
			_, err := client.TransactWriteItems(t.Context(), &dynamodb.TransactWriteItemsInput{TransactItems: []types.TransactWriteItem{{
				ConditionCheck: &types.ConditionCheck{TableName: aws.String(things), Key: thing("a", 1), ConditionExpression: aws.String("attribute_exists(pk)")},
			}}})
			if err == nil {
				served++
				continue
			}
			require.Equal(t, []string{"ThrottlingError"}, reasons(t, err))
		}
		require.Equal(t, 2, served)
	})
}
