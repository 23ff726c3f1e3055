package differential

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"
)

// pastHistories are short histories with differences that were found earlier, caused by past errors
// of the engine. They do not change with the generator.
var pastHistories = map[string]history{
	"a count of equal index keys, of which one is large": requests(tied, putOf(tiedItem("100", 0)), putOf(tiedItem("0", 0)),
		putOf(tiedItem("12345678901234567890123456789012345679", 4696)), &dynamodb.QueryInput{
			TableName: explainedName, IndexName: aws.String("lsi"), KeyConditionExpression: aws.String("pk = :p AND g2 = :g"),
			ExpressionAttributeValues: item{":p": number("0.5"), ":g": number("0.5")}, Limit: aws.Int32(2), Select: types.SelectCount,
			ReturnConsumedCapacity: capacity,
		}),
	"a filter by what an index lacks is refused": requests(indexed, &dynamodb.QueryInput{
		TableName: explainedName, IndexName: aws.String("one"), KeyConditionExpression: aws.String("g1 = :a"), FilterExpression: aws.String("m.x = :a"),
		ExpressionAttributeValues: item{":a": text("a")},
	}),
	"a transaction reads an item of which the projection leaves nothing": requests(simple, putOf(here), &dynamodb.TransactGetItemsInput{
		TransactItems: []types.TransactGetItem{{Get: &types.Get{TableName: explainedName, Key: here, ProjectionExpression: aws.String("s1")}}},
	}),
	"a transaction sent again reads the items as they are": {name: simple.name, tables: []*table{simple}, steps: []operation{
		{input: transactionOf(putAction(here)), token: 1},
		{input: putOf(with(here, padName, pad(padLengths[2])))},
		{input: transactionOf(putAction(here)), token: 1},
	}},
	"a batch that is refused writes nothing": requests(indexed, &dynamodb.BatchWriteItemInput{RequestItems: map[string][]types.WriteRequest{"explained": {
		{PutRequest: &types.PutRequest{Item: both}},
		{PutRequest: &types.PutRequest{Item: with(with(item{"pk": number("2"), "sk": number("2")}, "g2", text("a")), padName, pad(450_000))}},
	}}}),
	"a batch with an item too large for its local index writes nothing": requests(whole, &dynamodb.BatchWriteItemInput{
		RequestItems: map[string][]types.WriteRequest{"explained": {
			{PutRequest: &types.PutRequest{Item: both}},
			{PutRequest: &types.PutRequest{Item: with(item{"pk": number("2"), "sk": number("2"), "g1": text("a")}, padName, pad(300_000))}},
		}},
	}),
}

// whole is a table whose local index projects all attributes.
var whole = &table{name: "explained", key: indexed.key, indexes: []index{
	{name: "lsi", key: key{hash: indexed.hash, sort: []attribute{{"g1", "S"}}}, local: true, projection: types.ProjectionTypeAll},
}}

// tied is a table whose local index may have many entries with the same key.
var tied = &table{
	name: "explained", key: key{hash: []attribute{{"pk", "N"}}, sort: []attribute{{"sk", "N"}}},
	indexes: []index{{
		name: "lsi", key: key{hash: []attribute{{"pk", "N"}}, sort: []attribute{{"g2", "N"}}}, local: true, projection: types.ProjectionTypeAll,
	}},
}

func tiedItem(sort string, size int) item {
	it := item{"pk": number("0.5"), "sk": number(sort), "g2": number("0.5")}
	if size > 0 {
		it = with(it, padName, pad(size))
	}
	return it
}

func TestPastDifferencesAreFixed(t *testing.T) {
	t.Parallel()
	p := pair{reference: local(t), candidate: inProcess(t), known: explanations}
	for name, h := range pastHistories {
		got, err := p.run(t.Context(), h)
		require.NoError(t, err, name)
		require.Nil(t, got.failure, "%s: %v", name, got.failure)
	}
}
