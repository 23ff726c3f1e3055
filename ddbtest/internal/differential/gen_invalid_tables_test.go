package differential

import (
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// invalidSchema is an invalid CreateTable request.
func invalidSchema(what string, alter func(*dynamodb.CreateTableInput)) invalidRequest {
	return invalidRequest{what, 2, func(g *generator, t *table) any {
		in := (&table{name: t.name + "-new", key: key{hash: []attribute{{"pk", "S"}}, sort: []attribute{{"sk", "S"}}}}).create()
		alter(in)
		return in
	}}
}

// invalidTables are requests on tables that the service rejects, and requests on missing tables.
var invalidTables = []invalidRequest{
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
	invalidSchema("key attribute without a type", func(in *dynamodb.CreateTableInput) { in.AttributeDefinitions = in.AttributeDefinitions[:1] }),
	invalidSchema("type of no key attribute", func(in *dynamodb.CreateTableInput) {
		in.AttributeDefinitions = append(in.AttributeDefinitions, definitions([]attribute{{"more", "S"}})...)
	}),
	invalidSchema("key without a partition", func(in *dynamodb.CreateTableInput) {
		in.KeySchema, in.AttributeDefinitions = in.KeySchema[1:], in.AttributeDefinitions[1:]
	}),
	invalidSchema("key of one attribute twice", func(in *dynamodb.CreateTableInput) { in.KeySchema[1].AttributeName = in.KeySchema[0].AttributeName }),
	invalidSchema("type that is none", func(in *dynamodb.CreateTableInput) { in.AttributeDefinitions[0].AttributeType = "SS" }),
	invalidSchema("name too short", func(in *dynamodb.CreateTableInput) { in.TableName = aws.String("ab") }),
	invalidSchema("name with a blank", func(in *dynamodb.CreateTableInput) { in.TableName = aws.String("a b c") }),
	invalidSchema("throughput missing", func(in *dynamodb.CreateTableInput) { in.BillingMode = "" }),
	invalidSchema("two indexes of a name", func(in *dynamodb.CreateTableInput) {
		x := types.GlobalSecondaryIndex{IndexName: aws.String("twice"), KeySchema: in.KeySchema, Projection: &types.Projection{ProjectionType: types.ProjectionTypeAll}}
		in.GlobalSecondaryIndexes = []types.GlobalSecondaryIndex{x, x}
	}),
	invalidSchema("local index of another partition", func(in *dynamodb.CreateTableInput) {
		x := index{name: "lsi", key: key{hash: []attribute{{"sk", "S"}}, sort: []attribute{{"pk", "S"}}}, projection: types.ProjectionTypeAll}
		in.LocalSecondaryIndexes = []types.LocalSecondaryIndex{{IndexName: aws.String(x.name), KeySchema: x.schema(), Projection: x.projectionType()}}
	}),
	invalidSchema("included attributes that are none", func(in *dynamodb.CreateTableInput) {
		in.GlobalSecondaryIndexes = []types.GlobalSecondaryIndex{
			{IndexName: aws.String("some"), KeySchema: in.KeySchema, Projection: &types.Projection{ProjectionType: types.ProjectionTypeInclude}},
		}
	}),
	invalidSchema("attributes beside a projection of all", func(in *dynamodb.CreateTableInput) {
		in.GlobalSecondaryIndexes = []types.GlobalSecondaryIndex{{IndexName: aws.String("some"), KeySchema: in.KeySchema, Projection: &types.Projection{
			ProjectionType: types.ProjectionTypeAll, NonKeyAttributes: []string{"s1"},
		}}}
	}),
	invalidSchema("stream without a view", func(in *dynamodb.CreateTableInput) {
		in.StreamSpecification = &types.StreamSpecification{StreamEnabled: aws.Bool(true)}
	}),
}
