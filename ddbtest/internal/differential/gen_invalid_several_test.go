package differential

import (
	"fmt"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// invalidBatches are batches and transactions that the service rejects.
var invalidBatches = []invalidRequest{
	{"batch with an item twice", 4, func(g *generator, t *table) any {
		k := plainKey(g.key(t))
		if g.chance(0.5) {
			return &dynamodb.BatchGetItemInput{RequestItems: map[string]types.KeysAndAttributes{t.name: {Keys: []item{k, k}}}}
		}
		return &dynamodb.BatchWriteItemInput{RequestItems: map[string][]types.WriteRequest{t.name: {
			{DeleteRequest: &types.DeleteRequest{Key: k}}, {PutRequest: &types.PutRequest{Item: g.itemAt(t, k)}},
		}}}
	}},
	{"batch without a request", 2, func(g *generator, t *table) any {
		return &dynamodb.BatchWriteItemInput{RequestItems: map[string][]types.WriteRequest{}}
	}},
	{"batch of too many", 2, func(g *generator, t *table) any {
		if g.chance(0.5) {
			return &dynamodb.BatchGetItemInput{RequestItems: map[string]types.KeysAndAttributes{t.name: {Keys: manyKeys(t, 101)}}}
		}
		var requests []types.WriteRequest
		for _, k := range manyKeys(t, 26) {
			requests = append(requests, types.WriteRequest{DeleteRequest: &types.DeleteRequest{Key: k}})
		}
		return &dynamodb.BatchWriteItemInput{RequestItems: map[string][]types.WriteRequest{t.name: requests}}
	}},
	{"batch with one bad key", 2, func(g *generator, t *table) any {
		bad := with(g.key(t), t.hash[0].name, otherKind(t.hash[0].kind))
		if g.chance(0.5) {
			return &dynamodb.BatchGetItemInput{RequestItems: map[string]types.KeysAndAttributes{t.name: {Keys: []item{g.key(t), bad}}}}
		}
		return &dynamodb.BatchWriteItemInput{RequestItems: map[string][]types.WriteRequest{t.name: {
			{PutRequest: &types.PutRequest{Item: g.item(t)}}, {DeleteRequest: &types.DeleteRequest{Key: bad}},
		}}}
	}},
	{"batch on an unknown table", 6, func(g *generator, t *table) any {
		if g.chance(0.5) {
			return &dynamodb.BatchGetItemInput{RequestItems: map[string]types.KeysAndAttributes{"nowhere": {Keys: []item{g.key(t)}}}}
		}
		return &dynamodb.BatchWriteItemInput{RequestItems: map[string][]types.WriteRequest{
			t.name: {{PutRequest: &types.PutRequest{Item: g.item(t)}}}, "nowhere": {{DeleteRequest: &types.DeleteRequest{Key: g.key(t)}}},
		}}
	}},
	{"transaction with an item twice", 4, func(g *generator, t *table) any {
		k := plainKey(g.key(t))
		if g.chance(0.3) {
			get := types.TransactGetItem{Get: &types.Get{TableName: name(t), Key: k}}
			return &dynamodb.TransactGetItemsInput{TransactItems: []types.TransactGetItem{get, get}}
		}
		return &dynamodb.TransactWriteItemsInput{TransactItems: []types.TransactWriteItem{
			{Delete: &types.Delete{TableName: name(t), Key: k}}, {Put: &types.Put{TableName: name(t), Item: g.itemAt(t, k)}},
		}}
	}},
	{"transaction with one bad key", 3, func(g *generator, t *table) any {
		bad := with(g.key(t), t.hash[0].name, otherKind(t.hash[0].kind))
		if g.chance(0.5) {
			return &dynamodb.TransactGetItemsInput{TransactItems: []types.TransactGetItem{
				{Get: &types.Get{TableName: name(t), Key: g.key(t)}}, {Get: &types.Get{TableName: name(t), Key: bad}},
			}}
		}
		return &dynamodb.TransactWriteItemsInput{TransactItems: []types.TransactWriteItem{
			{Put: &types.Put{TableName: name(t), Item: g.item(t)}}, {Delete: &types.Delete{TableName: name(t), Key: bad}},
		}}
	}},
	{"transaction without an action", 2, func(g *generator, t *table) any {
		if g.chance(0.5) {
			return &dynamodb.TransactGetItemsInput{TransactItems: []types.TransactGetItem{}}
		}
		return &dynamodb.TransactWriteItemsInput{TransactItems: []types.TransactWriteItem{}}
	}},
	{"transaction of too many", 2, func(g *generator, t *table) any {
		in := &dynamodb.TransactWriteItemsInput{}
		for _, k := range manyKeys(t, 101) {
			in.TransactItems = append(in.TransactItems, types.TransactWriteItem{Delete: &types.Delete{TableName: name(t), Key: k}})
		}
		return in
	}},
	{"transaction on an unknown table", 6, func(g *generator, t *table) any {
		if g.chance(0.5) {
			return &dynamodb.TransactGetItemsInput{TransactItems: []types.TransactGetItem{{Get: &types.Get{TableName: aws.String("nowhere"), Key: g.key(t)}}}}
		}
		return &dynamodb.TransactWriteItemsInput{TransactItems: []types.TransactWriteItem{
			{Put: &types.Put{TableName: name(t), Item: g.item(t)}}, {Delete: &types.Delete{TableName: aws.String("nowhere"), Key: g.key(t)}},
		}}
	}},
	{"transaction with a syntax error", 2, func(g *generator, t *table) any {
		return &dynamodb.TransactWriteItemsInput{TransactItems: []types.TransactWriteItem{
			{ConditionCheck: &types.ConditionCheck{TableName: name(t), Key: g.key(t), ConditionExpression: aws.String("pk =")}},
		}}
	}},
	{"action that is two", 2, func(g *generator, t *table) any {
		return &dynamodb.TransactWriteItemsInput{TransactItems: []types.TransactWriteItem{
			{Delete: &types.Delete{TableName: name(t), Key: g.key(t)}, Put: &types.Put{TableName: name(t), Item: g.item(t)}},
		}}
	}},
	{"action that is none", 2, func(g *generator, t *table) any {
		return &dynamodb.TransactWriteItemsInput{TransactItems: []types.TransactWriteItem{{}}}
	}},
}

// manyKeys returns n different keys of a table.
func manyKeys(t *table, n int) []item {
	all := make([]item, n)
	for i := range all {
		all[i] = item{}
		for _, a := range t.attributes() {
			digits := fmt.Sprint(i)
			all[i][a.name] = map[string]value{"S": text(digits), "N": number(digits), "B": binary(digits)}[a.kind]
		}
	}
	return all
}

// plainKey returns a key with numbers in plain spelling. Engines may treat two spellings as two
// keys when they look for duplicates.
func plainKey(k item) item {
	plain := item{}
	for name, v := range k {
		if n, ok := v.(*types.AttributeValueMemberN); ok {
			v = number(plainNumber(n.Value))
		}
		plain[name] = v
	}
	return plain
}
