package differential

import (
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// badSchema is an invalid CreateTable request.
func badSchema(what string, spoil func(*dynamodb.CreateTableInput)) fault {
	return fault{what, 2, func(g *generator, t *table) any {
		in := (&table{name: t.name + "-new", key: key{hash: []attribute{{"pk", "S"}}, sort: []attribute{{"sk", "S"}}}}).create()
		spoil(in)
		return in
	}}
}

// tableFaults are requests on tables that the service rejects, and requests on missing tables.
var tableFaults = []fault{
	{"table that is there", 24, func(g *generator, t *table) any { return t.create() }},
	{"two indexes at once", 24, func(g *generator, t *table) any {
		in := &dynamodb.UpdateTableInput{TableName: name(t), AttributeDefinitions: definitions([]attribute{{"f1", "S"}, {"f2", "S"}})}
		for _, a := range []string{"f1", "f2"} {
			x := index{name: "by-" + a, key: key{hash: []attribute{{a, "S"}}}, projection: types.ProjectionTypeAll}
			in.GlobalSecondaryIndexUpdates = append(in.GlobalSecondaryIndexUpdates, types.GlobalSecondaryIndexUpdate{
				Create: &types.CreateGlobalSecondaryIndexAction{IndexName: aws.String(x.name), KeySchema: x.schema(), Projection: x.projectionType()},
			})
		}
		return in
	}},
	{"unknown table", 20, func(g *generator, t *table) any {
		nowhere := aws.String("nowhere")
		return pick(g, []any{
			&dynamodb.GetItemInput{TableName: nowhere, Key: g.key(t)},
			&dynamodb.PutItemInput{TableName: nowhere, Item: g.item(t)},
			&dynamodb.DeleteItemInput{TableName: nowhere, Key: g.key(t)},
			&dynamodb.UpdateItemInput{TableName: nowhere, Key: g.key(t)},
			&dynamodb.ScanInput{TableName: nowhere},
			&dynamodb.QueryInput{TableName: nowhere, KeyConditionExpression: aws.String("pk = :v"), ExpressionAttributeValues: item{":v": text("a")}},
			&dynamodb.DescribeTableInput{TableName: nowhere},
			&dynamodb.DeleteTableInput{TableName: nowhere},
			&dynamodb.UpdateTableInput{TableName: nowhere, BillingMode: types.BillingModePayPerRequest},
			&dynamodb.DescribeTimeToLiveInput{TableName: nowhere},
		})
	}},
	{"unknown index to delete", 2, func(g *generator, t *table) any {
		return &dynamodb.UpdateTableInput{TableName: name(t), GlobalSecondaryIndexUpdates: []types.GlobalSecondaryIndexUpdate{
			{Delete: &types.DeleteGlobalSecondaryIndexAction{IndexName: aws.String("nowhere")}},
		}}
	}},
	{"update of nothing", 2, func(g *generator, t *table) any { return &dynamodb.UpdateTableInput{TableName: name(t)} }},
	badSchema("key attribute without a type", func(in *dynamodb.CreateTableInput) { in.AttributeDefinitions = in.AttributeDefinitions[:1] }),
	badSchema("type of no key attribute", func(in *dynamodb.CreateTableInput) {
		in.AttributeDefinitions = append(in.AttributeDefinitions, definitions([]attribute{{"more", "S"}})...)
	}),
	badSchema("key without a partition", func(in *dynamodb.CreateTableInput) {
		in.KeySchema, in.AttributeDefinitions = in.KeySchema[1:], in.AttributeDefinitions[1:]
	}),
	badSchema("key of one attribute twice", func(in *dynamodb.CreateTableInput) { in.KeySchema[1].AttributeName = in.KeySchema[0].AttributeName }),
	badSchema("type that is none", func(in *dynamodb.CreateTableInput) { in.AttributeDefinitions[0].AttributeType = "SS" }),
	badSchema("name too short", func(in *dynamodb.CreateTableInput) { in.TableName = aws.String("ab") }),
	badSchema("name with a blank", func(in *dynamodb.CreateTableInput) { in.TableName = aws.String("a b c") }),
	badSchema("throughput missing", func(in *dynamodb.CreateTableInput) { in.BillingMode = "" }),
	badSchema("two indexes of a name", func(in *dynamodb.CreateTableInput) {
		x := types.GlobalSecondaryIndex{IndexName: aws.String("twice"), KeySchema: in.KeySchema, Projection: &types.Projection{ProjectionType: types.ProjectionTypeAll}}
		in.GlobalSecondaryIndexes = []types.GlobalSecondaryIndex{x, x}
	}),
	badSchema("local index of another partition", func(in *dynamodb.CreateTableInput) {
		x := index{name: "lsi", key: key{hash: []attribute{{"sk", "S"}}, sort: []attribute{{"pk", "S"}}}, projection: types.ProjectionTypeAll}
		in.LocalSecondaryIndexes = []types.LocalSecondaryIndex{{IndexName: aws.String(x.name), KeySchema: x.schema(), Projection: x.projectionType()}}
	}),
	badSchema("included attributes that are none", func(in *dynamodb.CreateTableInput) {
		in.GlobalSecondaryIndexes = []types.GlobalSecondaryIndex{
			{IndexName: aws.String("some"), KeySchema: in.KeySchema, Projection: &types.Projection{ProjectionType: types.ProjectionTypeInclude}},
		}
	}),
	badSchema("attributes beside a projection of all", func(in *dynamodb.CreateTableInput) {
		in.GlobalSecondaryIndexes = []types.GlobalSecondaryIndex{{IndexName: aws.String("some"), KeySchema: in.KeySchema, Projection: &types.Projection{
			ProjectionType: types.ProjectionTypeAll, NonKeyAttributes: []string{"s1"},
		}}}
	}),
	badSchema("stream without a view", func(in *dynamodb.CreateTableInput) {
		in.StreamSpecification = &types.StreamSpecification{StreamEnabled: aws.Bool(true)}
	}),
}
