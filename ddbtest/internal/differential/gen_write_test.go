package differential

import (
	"slices"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// anyTable returns one of the tables, usually the first.
func (g *generator) anyTable() *table {
	if g.chance(0.8) {
		return g.tables[0]
	}
	return pick(g, g.tables)
}

// key returns the key of an item that may exist.
func (g *generator) key(t *table) item {
	k := item{}
	for _, a := range t.hash {
		k[a.name] = g.hashValue(a.kind)
	}
	for _, a := range t.sort {
		k[a.name] = g.keyValue(a.kind)
		if g.few && g.chance(0.7) {
			k[a.name] = g.hashValue(a.kind)
		}
	}
	return k
}

// item returns an item with some of the attributes.
func (g *generator) item(t *table) item {
	it := g.key(t)
	for _, a := range t.indexAttributes() {
		if g.chance(0.7) {
			it[a.name] = g.indexValue(a)
		}
	}
	for _, a := range attributes {
		if !g.chance(0.4) && (!g.few || g.chance(0.5)) {
			continue
		}
		kind := a.kind
		if g.chance(0.05) {
			kind = pick(g, kinds)
		}
		it[a.name] = g.value(kind)
	}
	if g.large {
		it[padName] = pad(pick(g, largeLengths))
	} else if g.chance(0.15) {
		it[padName] = pad(pick(g, padLengths))
	}
	return it
}

// indexValue returns an index key value, often one of few, so that item collections grow and keys
// collide.
func (g *generator) indexValue(a attribute) value {
	if g.chance(0.6) {
		return g.hashValue(a.kind)
	}
	return g.keyValue(a.kind)
}

// guard generates a condition for a write with probability p, or returns nil.
func (g *generator) guard(t *table, e *expression, p float64) *string {
	if !g.chance(p) {
		return nil
	}
	return aws.String(e.condition(operands(slices.Concat(t.attributes(), t.indexAttributes()))))
}

const capacity = types.ReturnConsumedCapacityIndexes

// onFailure sometimes requests the item of a failed condition.
func (g *generator) onFailure(e *expression, condition *string) types.ReturnValuesOnConditionCheckFailure {
	if condition == nil || g.chance(0.5) {
		return ""
	}
	e.mark("ReturnValuesOnConditionCheckFailure")
	return types.ReturnValuesOnConditionCheckFailureAllOld
}

func (g *generator) returning(e *expression, which ...types.ReturnValue) types.ReturnValue {
	r := pick(g, which)
	if r != "" {
		e.mark("ReturnValues " + string(r))
	}
	return r
}

func (g *generator) metrics() types.ReturnItemCollectionMetrics {
	if g.chance(0.2) {
		return types.ReturnItemCollectionMetricsSize
	}
	return ""
}

func (g *generator) put() []operation {
	t, e := g.anyTable(), g.expression()
	in := &dynamodb.PutItemInput{
		TableName:                   aws.String(t.name),
		Item:                        g.item(t),
		ConditionExpression:         g.guard(t, e, 0.4),
		ReturnValues:                g.returning(e, "", types.ReturnValueAllOld, types.ReturnValueNone),
		ReturnConsumedCapacity:      capacity,
		ReturnItemCollectionMetrics: g.metrics(),
	}
	in.ReturnValuesOnConditionCheckFailure = g.onFailure(e, in.ConditionExpression)
	in.ExpressionAttributeNames, in.ExpressionAttributeValues = e.attributeNames(), e.attributeValues()
	return one(operation{input: in, marks: e.marks})
}

func (g *generator) updateItem() []operation {
	t, e := g.anyTable(), g.expression()
	in := &dynamodb.UpdateItemInput{
		TableName:              aws.String(t.name),
		Key:                    g.key(t),
		ReturnConsumedCapacity: capacity,
		ReturnValues: g.returning(e, "", types.ReturnValueNone, types.ReturnValueAllOld, types.ReturnValueAllNew, types.ReturnValueUpdatedOld,
			types.ReturnValueUpdatedNew),
		ReturnItemCollectionMetrics: g.metrics(),
	}
	// Without an expression, it creates an item with only its key.
	if g.chance(0.05) {
		in.ConditionExpression = g.guard(t, e, 0.4)
	} else {
		update, condition := e.changeOf(t, 0.4)
		in.UpdateExpression, in.ConditionExpression = &update, condition
	}
	in.ReturnValuesOnConditionCheckFailure = g.onFailure(e, in.ConditionExpression)
	in.ExpressionAttributeNames, in.ExpressionAttributeValues = e.attributeNames(), e.attributeValues()
	return one(operation{input: in, marks: e.marks})
}

func (g *generator) deleteItem() []operation {
	t, e := g.anyTable(), g.expression()
	in := &dynamodb.DeleteItemInput{
		TableName:                   aws.String(t.name),
		Key:                         g.key(t),
		ConditionExpression:         g.guard(t, e, 0.5),
		ReturnValues:                g.returning(e, "", types.ReturnValueAllOld, types.ReturnValueNone),
		ReturnConsumedCapacity:      capacity,
		ReturnItemCollectionMetrics: g.metrics(),
	}
	in.ReturnValuesOnConditionCheckFailure = g.onFailure(e, in.ConditionExpression)
	in.ExpressionAttributeNames, in.ExpressionAttributeValues = e.attributeNames(), e.attributeValues()
	return one(operation{input: in, marks: e.marks})
}

func (g *generator) getItem() []operation {
	t, e := g.anyTable(), g.expression()
	in := &dynamodb.GetItemInput{
		TableName:              aws.String(t.name),
		Key:                    g.key(t),
		ConsistentRead:         g.maybeTrue(),
		ReturnConsumedCapacity: capacity,
	}
	if g.chance(0.5) {
		in.ProjectionExpression = aws.String(e.projection(t, false))
	}
	in.ExpressionAttributeNames = e.attributeNames()
	return one(operation{input: in, marks: e.marks})
}

// maybeTrue returns true, false or nil.
func (g *generator) maybeTrue() *bool {
	return pick(g, []*bool{nil, aws.Bool(true), aws.Bool(false)})
}

func one(op operation) []operation { return []operation{op} }
