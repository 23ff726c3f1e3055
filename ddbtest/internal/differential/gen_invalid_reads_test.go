package differential

import (
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// partition returns a valid query of a partition.
func (g *generator) partition(t *table) *dynamodb.QueryInput {
	return &dynamodb.QueryInput{
		TableName: name(t), KeyConditionExpression: aws.String("pk = :pk"), ExpressionAttributeValues: item{":pk": g.hashValue(t.hash[0].kind)},
		ReturnConsumedCapacity: capacity,
	}
}

// invalidQuery is a query of a partition that alter makes invalid.
func invalidQuery(what string, alter func(*generator, *table, *dynamodb.QueryInput)) invalidRequest {
	return invalidRequest{what, 2, func(g *generator, t *table) any {
		in := g.partition(t)
		alter(g, t, in)
		return in
	}}
}

// invalidReads are queries and scans that the service rejects.
var invalidReads = []invalidRequest{
	invalidQuery("query by no partition", func(g *generator, t *table, in *dynamodb.QueryInput) {
		in.KeyConditionExpression = aws.String("s1 = :pk")
	}),
	invalidQuery("query by an order of partitions", func(g *generator, t *table, in *dynamodb.QueryInput) {
		in.KeyConditionExpression = aws.String(pick(g, []string{"pk > :pk", "pk BETWEEN :pk AND :pk", "pk <> :pk", "begins_with(pk, :pk)", "pk IN (:pk)"}))
	}),
	invalidQuery("query with OR or NOT", func(g *generator, t *table, in *dynamodb.QueryInput) {
		in.KeyConditionExpression = aws.String(pick(g, []string{"pk = :pk OR sk = :pk", "NOT pk = :pk", "pk = :pk AND attribute_exists(sk)", "pk = :pk AND sk <> :pk"}))
	}),
	invalidQuery("query by another attribute", func(g *generator, t *table, in *dynamodb.QueryInput) {
		in.KeyConditionExpression = aws.String("pk = :pk AND s1 = :pk")
	}),
	invalidQuery("query with one key twice", func(g *generator, t *table, in *dynamodb.QueryInput) {
		in.KeyConditionExpression = aws.String("pk = :pk AND pk = :pk")
	}),
	invalidQuery("query by another type", func(g *generator, t *table, in *dynamodb.QueryInput) {
		in.ExpressionAttributeValues = item{":pk": otherKind(t.hash[0].kind)}
	}),
	invalidQuery("filter by the key", func(g *generator, t *table, in *dynamodb.QueryInput) {
		in.FilterExpression = aws.String("attribute_exists(pk)")
	}),
	invalidQuery("unknown index", func(g *generator, t *table, in *dynamodb.QueryInput) { in.IndexName = aws.String("nowhere") }),
	{"filter by what the index lacks", 3, func(g *generator, t *table) any {
		for _, x := range t.indexes {
			if x.projection == types.ProjectionTypeKeysOnly {
				e := g.expression()
				in := &dynamodb.QueryInput{TableName: name(t), IndexName: aws.String(x.name), KeyConditionExpression: aws.String(e.keyCondition(x.key))}
				in.FilterExpression = aws.String("attribute_exists(" + e.path("s1") + ")")
				in.ExpressionAttributeNames, in.ExpressionAttributeValues = e.attributeNames(), e.attributeValues()
				return in
			}
		}
		return &dynamodb.ScanInput{TableName: name(t), IndexName: aws.String("nowhere")}
	}},
	invalidQuery("limit of none", func(g *generator, t *table, in *dynamodb.QueryInput) { in.Limit = aws.Int32(0) }),
	invalidQuery("start key of another shape", func(g *generator, t *table, in *dynamodb.QueryInput) {
		in.ExclusiveStartKey = pick(g, []item{{"other": text("a")}, with(g.key(t), "other", text("a")), {}})
	}),
	invalidQuery("start key of another type", func(g *generator, t *table, in *dynamodb.QueryInput) {
		in.ExclusiveStartKey = with(g.key(t), "pk", otherKind(t.hash[0].kind))
	}),
	invalidQuery("start key of another partition", func(g *generator, t *table, in *dynamodb.QueryInput) {
		kind := t.hash[0].kind
		values := map[string][]value{"S": {text("a"), text("b")}, "N": {number("1"), number("2")}, "B": {binary("a"), binary("b")}}[kind]
		in.ExpressionAttributeValues = item{":pk": values[0]}
		in.ExclusiveStartKey = with(g.key(t), "pk", values[1])
	}),
	invalidQuery("count of a projection", func(g *generator, t *table, in *dynamodb.QueryInput) {
		in.Select, in.ProjectionExpression = types.SelectCount, aws.String("s1")
	}),
	invalidQuery("all of a projection", func(g *generator, t *table, in *dynamodb.QueryInput) {
		in.Select, in.ProjectionExpression = types.SelectAllAttributes, aws.String("s1")
	}),
	invalidQuery("specific attributes that are not named", func(g *generator, t *table, in *dynamodb.QueryInput) {
		in.Select = types.SelectSpecificAttributes
	}),
	invalidQuery("projected attributes of a table", func(g *generator, t *table, in *dynamodb.QueryInput) {
		in.Select = types.SelectAllProjectedAttributes
	}),
	invalidQuery("unknown selection", func(g *generator, t *table, in *dynamodb.QueryInput) { in.Select = "SOME" }),
	{"segment without a total", 2, func(g *generator, t *table) any {
		return &dynamodb.ScanInput{TableName: name(t), Segment: aws.Int32(0)}
	}},
	{"total without a segment", 2, func(g *generator, t *table) any {
		return &dynamodb.ScanInput{TableName: name(t), TotalSegments: aws.Int32(2)}
	}},
	{"segment beyond the total", 2, func(g *generator, t *table) any {
		return &dynamodb.ScanInput{TableName: name(t), Segment: aws.Int32(2), TotalSegments: aws.Int32(2)}
	}},
	{"strong read of a global index", 2, func(g *generator, t *table) any {
		for _, x := range t.indexes {
			if !x.local {
				return &dynamodb.ScanInput{TableName: name(t), IndexName: aws.String(x.name), ConsistentRead: aws.Bool(true)}
			}
		}
		return &dynamodb.ScanInput{TableName: name(t), IndexName: aws.String("nowhere")}
	}},
	{"wrong return values", 2, func(g *generator, t *table) any {
		if g.chance(0.5) {
			return &dynamodb.DeleteItemInput{TableName: name(t), Key: g.key(t), ReturnValues: types.ReturnValueAllNew}
		}
		return &dynamodb.PutItemInput{TableName: name(t), Item: g.item(t), ReturnValues: types.ReturnValueUpdatedNew}
	}},
	{"unknown return values", 2, func(g *generator, t *table) any {
		return &dynamodb.UpdateItemInput{TableName: name(t), Key: g.key(t), ReturnValues: "EVERYTHING"}
	}},
}
