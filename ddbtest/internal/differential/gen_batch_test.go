package differential

import (
	"slices"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// keys returns different keys of a table.
func (g *generator) keys(t *table, most int) []item {
	var all []item
	for range 1 + g.IntN(most) {
		k := g.key(t)
		if !slices.ContainsFunc(all, func(other item) bool { return showPlain(other) == showPlain(k) }) {
			all = append(all, k)
		}
	}
	return all
}

// someTables returns one or all of the tables.
func (g *generator) someTables() []*table {
	if g.chance(0.6) {
		return []*table{g.anyTable()}
	}
	return g.tables
}

func (g *generator) batchGet() []operation {
	in := &dynamodb.BatchGetItemInput{RequestItems: map[string]types.KeysAndAttributes{}, ReturnConsumedCapacity: capacity}
	var marks []string
	for _, t := range g.someTables() {
		e := g.expression()
		request := types.KeysAndAttributes{Keys: g.keys(t, 8), ConsistentRead: g.maybeTrue()}
		if g.chance(0.4) {
			request.ProjectionExpression = aws.String(e.projection(t, false))
		}
		request.ExpressionAttributeNames = e.attributeNames()
		in.RequestItems[t.name] = request
		marks = append(marks, e.marks...)
	}
	return one(operation{input: in, marks: marks})
}

func (g *generator) batchWrite() []operation {
	in := &dynamodb.BatchWriteItemInput{
		RequestItems:                map[string][]types.WriteRequest{},
		ReturnConsumedCapacity:      capacity,
		ReturnItemCollectionMetrics: g.metrics(),
	}
	for _, t := range g.someTables() {
		for _, k := range g.keys(t, 6) {
			request := types.WriteRequest{DeleteRequest: &types.DeleteRequest{Key: k}}
			if g.chance(0.65) {
				request = types.WriteRequest{PutRequest: &types.PutRequest{Item: g.itemAt(t, k)}}
			}
			in.RequestItems[t.name] = append(in.RequestItems[t.name], request)
		}
	}
	return one(operation{input: in})
}

// itemAt returns an item with that key.
func (g *generator) itemAt(t *table, k item) item {
	it := g.item(t)
	for name, v := range k {
		it[name] = v
	}
	return it
}
