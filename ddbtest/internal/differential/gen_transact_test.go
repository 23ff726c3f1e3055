package differential

import (
	"slices"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// itemRef is the table and the key of an item.
type itemRef struct {
	table *table
	key   item
}

// itemRefs returns different items of all tables.
func (g *generator) itemRefs(most int) []itemRef {
	var all []itemRef
	for range 1 + g.IntN(most) {
		p := itemRef{table: g.anyTable()}
		p.key = g.key(p.table)
		if !slices.ContainsFunc(all, func(q itemRef) bool { return q.table == p.table && showPlain(q.key) == showPlain(p.key) }) {
			all = append(all, p)
		}
	}
	return all
}

func (g *generator) transactWrite() []operation {
	in := &dynamodb.TransactWriteItemsInput{ReturnConsumedCapacity: capacity, ReturnItemCollectionMetrics: g.metrics()}
	var marks []string
	for _, p := range g.itemRefs(4) {
		e := g.expression()
		in.TransactItems = append(in.TransactItems, g.action(p, e))
		marks = append(marks, e.marks...)
	}
	g.tokens++
	op := operation{input: in, token: g.tokens, marks: marks}
	const remembered = 3
	g.sent = append(g.sent, op)
	if len(g.sent) > remembered {
		g.sent = g.sent[1:]
	}
	return one(op)
}

// action generates one action of a transaction. Few actions have a condition, because a failed one
// cancels all of them.
func (g *generator) action(p itemRef, e *expression) types.TransactWriteItem {
	name := aws.String(p.table.name)
	switch g.IntN(4) {
	case 0:
		put := &types.Put{TableName: name, Item: g.itemAt(p.table, p.key), ConditionExpression: g.guard(p.table, e, 0.25)}
		put.ReturnValuesOnConditionCheckFailure = g.onFailure(e, put.ConditionExpression)
		put.ExpressionAttributeNames, put.ExpressionAttributeValues = e.attributeNames(), e.attributeValues()
		return types.TransactWriteItem{Put: put}
	case 1:
		change, condition := e.changeOf(p.table, 0.25)
		update := &types.Update{TableName: name, Key: p.key, UpdateExpression: &change, ConditionExpression: condition}
		update.ReturnValuesOnConditionCheckFailure = g.onFailure(e, update.ConditionExpression)
		update.ExpressionAttributeNames, update.ExpressionAttributeValues = e.attributeNames(), e.attributeValues()
		return types.TransactWriteItem{Update: update}
	case 2:
		del := &types.Delete{TableName: name, Key: p.key, ConditionExpression: g.guard(p.table, e, 0.25)}
		del.ReturnValuesOnConditionCheckFailure = g.onFailure(e, del.ConditionExpression)
		del.ExpressionAttributeNames, del.ExpressionAttributeValues = e.attributeNames(), e.attributeValues()
		return types.TransactWriteItem{Delete: del}
	default:
		e.mark("ConditionCheck")
		check := &types.ConditionCheck{TableName: name, Key: p.key, ConditionExpression: g.guard(p.table, e, 1)}
		check.ReturnValuesOnConditionCheckFailure = g.onFailure(e, check.ConditionExpression)
		check.ExpressionAttributeNames, check.ExpressionAttributeValues = e.attributeNames(), e.attributeValues()
		return types.TransactWriteItem{ConditionCheck: check}
	}
}

// repeat sends a transaction again. With its token it is applied once.
func (g *generator) repeat() []operation {
	if len(g.sent) == 0 {
		return g.transactWrite()
	}
	op := pick(g, g.sent)
	op.marks = append(slices.Clone(op.marks), "token sent again")
	return one(op)
}

// mismatch sends another transaction with a used token.
func (g *generator) mismatch() []operation {
	if len(g.sent) == 0 {
		return g.transactWrite()
	}
	used := pick(g, g.sent).token
	p := g.itemRefs(1)[0]
	in := &dynamodb.TransactWriteItemsInput{ReturnConsumedCapacity: capacity, TransactItems: []types.TransactWriteItem{
		{Put: &types.Put{TableName: aws.String(p.table.name), Item: g.itemAt(p.table, p.key)}},
	}}
	return one(operation{input: in, token: used, invalid: "token of another transaction"})
}

func (g *generator) transactGet() []operation {
	in := &dynamodb.TransactGetItemsInput{ReturnConsumedCapacity: capacity}
	var marks []string
	for _, p := range g.itemRefs(4) {
		e := g.expression()
		get := &types.Get{TableName: aws.String(p.table.name), Key: p.key}
		if g.chance(0.4) {
			get.ProjectionExpression = aws.String(e.projection(p.table, false))
		}
		get.ExpressionAttributeNames = e.attributeNames()
		in.TransactItems = append(in.TransactItems, types.TransactGetItem{Get: get})
		marks = append(marks, e.marks...)
	}
	return one(operation{input: in, marks: marks})
}
