package ddbtest_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
	streamtypes "github.com/aws/aws-sdk-go-v2/service/dynamodbstreams/types"

	"github.com/trestledb/trestle/ddbtest"
)

const workloadTable = "rows"

// temporaryTable returns the name of a table that is created and deleted during the workload.
func temporaryTable(r *rand.Rand) string { return fmt.Sprint("passing", r.IntN(4)) }

// anyTable returns the permanent table or, sometimes, one that may not exist.
func anyTable(r *rand.Rand) *string {
	name := workloadTable
	if r.IntN(4) == 0 {
		name = temporaryTable(r)
	}
	return &name
}

func randomKey(r *rand.Rand) attributes {
	item := randomRow(r)
	return attributes{"pk": item["pk"], "sk": item["sk"]}
}

// randomQuery returns a random query of the table or one of its indexes.
func randomQuery(r *rand.Rand) *dynamodb.QueryInput {
	in := &dynamodb.QueryInput{TableName: anyTable(r), Limit: aws.Int32(int32(1 + r.IntN(9))), ScanIndexForward: aws.Bool(r.IntN(2) == 0)}
	switch r.IntN(3) {
	case 0:
		in.KeyConditionExpression, in.ExpressionAttributeValues = aws.String("pk = :a AND sk > :n"), row(":a", "a", ":n", r.IntN(3))
	case 1:
		in.IndexName, in.KeyConditionExpression, in.ExpressionAttributeValues = aws.String("local"), aws.String("pk = :a"), row(":a", "a")
		in.Select = types.SelectAllAttributes
	default:
		in.IndexName, in.KeyConditionExpression, in.ExpressionAttributeValues = aws.String("both"), aws.String("x = :n"), row(":n", r.IntN(3))
		in.FilterExpression, in.ExpressionAttributeValues[":u"] = aws.String("u < :u"), number(2)
	}
	return in
}

// anyCondition returns, sometimes, a condition that may not hold.
func anyCondition(r *rand.Rand) *string {
	if r.IntN(3) == 0 {
		return aws.String("attribute_exists(u)")
	}
	return nil
}

// anyStatement returns a random statement of PartiQL.
func anyStatement(r *rand.Rand) *dynamodb.ExecuteStatementInput {
	key, n := randomKey(r), number(r.IntN(3))
	switch r.IntN(5) {
	case 0:
		return statement("SELECT * FROM \"rows\" WHERE pk IN ['a', 'b'] AND sk > ?", n)
	case 1:
		return statement("SELECT pk, sk FROM \"rows\".both WHERE x = ? AND u < 2", n)
	case 2:
		return statement("UPDATE \"rows\" SET x = ? WHERE pk = ? AND sk = ? AND u IS NOT MISSING", n, key["pk"], key["sk"])
	case 3:
		return statement("DELETE FROM \"rows\" WHERE pk = ? AND sk = ? RETURNING ALL OLD *", key["pk"], key["sk"])
	default:
		return statement("SELECT * FROM \"rows\" WHERE x = ?", n)
	}
}

var workloadOrder = slices.Sorted(maps.Keys(workloadOperations))

// workloadOperations lists all concurrent actions: each operation of the API, and further actions
// with names that begin with a dot.
var workloadOperations = map[string]func(*workload, *rand.Rand) error{
	".transfer": (*workload).transfer,
	".audit":    (*workload).audit,
	".fork":     (*workload).fork,
	".advance": func(s *workload, r *rand.Rand) error {
		s.db.Advance(time.Duration(r.IntN(600)) * time.Millisecond)
		return nil
	},
	".lag": func(s *workload, r *rand.Rand) error {
		s.db.SetLag(ddbtest.Lag{Items: time.Duration(r.IntN(3)) * time.Second, Indexes: time.Duration(r.IntN(3)) * time.Second})
		if r.IntN(2) == 0 {
			s.db.SetLag(ddbtest.Lag{})
			s.db.Settle()
		}
		return nil
	},
	".rule": func(s *workload, r *rand.Rand) error {
		rule := s.db.Fail(ddbtest.Throttle(), ddbtest.Op("GetItem", "BatchWriteItem"), ddbtest.Nth(1+r.IntN(9)))
		_, err := s.client.GetItem(s.Context(), &dynamodb.GetItemInput{TableName: aws.String(workloadTable), Key: randomKey(r)})
		rule.Remove()
		return err
	},

	".legacy": (*workload).legacy,

	"PutItem": func(s *workload, r *rand.Rand) error {
		_, err := s.client.PutItem(s.Context(), &dynamodb.PutItemInput{
			TableName: anyTable(r), Item: randomRow(r), ConditionExpression: anyCondition(r), ReturnValues: types.ReturnValueAllOld,
		})
		return err
	},
	"UpdateItem": func(s *workload, r *rand.Rand) error {
		next := randomRow(r)
		expression, values := randomUpdate(r, next)
		_, err := s.client.UpdateItem(s.Context(), &updateInput{
			TableName: anyTable(r), Key: attributes{"pk": next["pk"], "sk": next["sk"]}, UpdateExpression: &expression, ExpressionAttributeValues: values,
			ConditionExpression: anyCondition(r), ReturnValues: types.ReturnValueUpdatedNew,
		})
		return err
	},
	"DeleteItem": func(s *workload, r *rand.Rand) error {
		_, err := s.client.DeleteItem(s.Context(), &dynamodb.DeleteItemInput{
			TableName: anyTable(r), Key: randomKey(r), ConditionExpression: anyCondition(r), ReturnValuesOnConditionCheckFailure: "ALL_OLD",
		})
		return err
	},
	"GetItem": func(s *workload, r *rand.Rand) error {
		_, err := s.client.GetItem(s.Context(), &dynamodb.GetItemInput{TableName: anyTable(r), Key: randomKey(r), ConsistentRead: aws.Bool(r.IntN(2) == 0)})
		return err
	},
	"Query": func(s *workload, r *rand.Rand) error {
		for p := dynamodb.NewQueryPaginator(s.client, randomQuery(r)); p.HasMorePages(); {
			if _, err := p.NextPage(s.Context()); err != nil {
				return err
			}
		}
		return nil
	},
	"Scan": func(s *workload, r *rand.Rand) error {
		in := &dynamodb.ScanInput{TableName: anyTable(r), Limit: aws.Int32(int32(1 + r.IntN(9))), TotalSegments: aws.Int32(2), Segment: aws.Int32(int32(r.IntN(2)))}
		if r.IntN(2) == 0 {
			in.IndexName = aws.String("inverted")
		}
		for p := dynamodb.NewScanPaginator(s.client, in); p.HasMorePages(); {
			if _, err := p.NextPage(s.Context()); err != nil {
				return err
			}
		}
		return nil
	},
	"BatchGetItem": func(s *workload, r *rand.Rand) error {
		_, err := s.client.BatchGetItem(s.Context(), &dynamodb.BatchGetItemInput{RequestItems: map[string]types.KeysAndAttributes{
			workloadTable: {Keys: []attributes{row("pk", "a", "sk", 1), row("pk", "b", "sk", 2), row("pk", "c", "sk", 3)}}, *anyTable(r): {Keys: []attributes{randomKey(r)}},
		}})
		return err
	},
	"BatchWriteItem": func(s *workload, r *rand.Rand) error {
		_, err := s.client.BatchWriteItem(s.Context(), &dynamodb.BatchWriteItemInput{RequestItems: map[string][]types.WriteRequest{
			workloadTable: {
				{PutRequest: &types.PutRequest{Item: randomRow(r)}}, {DeleteRequest: &types.DeleteRequest{Key: row("pk", "d", "sk", 1)}},
				{PutRequest: &types.PutRequest{Item: row("pk", "d", "sk", 2, "x", 1)}},
			},
		}})
		return err
	},
	"TransactGetItems": func(s *workload, r *rand.Rand) error {
		_, err := s.client.TransactGetItems(s.Context(), &dynamodb.TransactGetItemsInput{TransactItems: []types.TransactGetItem{
			{Get: &types.Get{TableName: anyTable(r), Key: randomKey(r)}}, {Get: &types.Get{TableName: aws.String(workloadTable), Key: row("pk", "d", "sk", 2)}},
		}})
		return err
	},
	"TransactWriteItems": func(s *workload, r *rand.Rand) error {
		_, err := s.client.TransactWriteItems(s.Context(), &dynamodb.TransactWriteItemsInput{TransactItems: []types.TransactWriteItem{
			{Put: &types.Put{TableName: anyTable(r), Item: randomRow(r), ConditionExpression: anyCondition(r)}},
			{Delete: &types.Delete{TableName: aws.String(workloadTable), Key: row("pk", "d", "sk", 1)}},
			{ConditionCheck: &types.ConditionCheck{TableName: aws.String(bank), Key: row("id", 0), ConditionExpression: aws.String("attribute_exists(n)")}},
		}})
		return err
	},

	"ExecuteStatement": func(s *workload, r *rand.Rand) error {
		_, err := s.client.ExecuteStatement(s.Context(), anyStatement(r))
		return err
	},
	"BatchExecuteStatement": func(s *workload, _ *rand.Rand) error {
		_, err := s.client.BatchExecuteStatement(s.Context(), &dynamodb.BatchExecuteStatementInput{Statements: []types.BatchStatementRequest{
			{Statement: aws.String("INSERT INTO \"rows\" VALUE {'pk': 'd', 'sk': 3, 'x': 1}")}, {Statement: aws.String("DELETE FROM \"rows\" WHERE pk = 'd' AND sk = 1")},
		}})
		return err
	},
	"ExecuteTransaction": func(s *workload, r *rand.Rand) error {
		_, err := s.client.ExecuteTransaction(s.Context(), &dynamodb.ExecuteTransactionInput{TransactStatements: []types.ParameterizedStatement{
			{Statement: aws.String("EXISTS(SELECT * FROM bank WHERE id = 0 AND n > -1)")},
			{Statement: aws.String("UPDATE \"rows\" SET x = ? WHERE pk = 'd' AND sk = 3"), Parameters: []types.AttributeValue{number(r.IntN(3))}},
		}})
		return err
	},

	"CreateTable": func(s *workload, r *rand.Rand) error {
		_, err := s.client.CreateTable(s.Context(), named(temporaryTable(r), manyIndexes()))
		return err
	},
	"DeleteTable": func(s *workload, r *rand.Rand) error {
		_, err := s.client.DeleteTable(s.Context(), &dynamodb.DeleteTableInput{TableName: aws.String(temporaryTable(r))})
		return err
	},
	"UpdateTable": func(s *workload, r *rand.Rand) error {
		change := types.GlobalSecondaryIndexUpdate{Delete: &types.DeleteGlobalSecondaryIndexAction{IndexName: aws.String("later")}}
		if r.IntN(2) == 0 {
			change = types.GlobalSecondaryIndexUpdate{Create: &types.CreateGlobalSecondaryIndexAction{
				IndexName: aws.String("later"), Projection: &types.Projection{ProjectionType: types.ProjectionTypeKeysOnly},
				KeySchema: []types.KeySchemaElement{{AttributeName: aws.String("u"), KeyType: types.KeyTypeHash}},
			}}
		}
		table := temporaryTable(r)
		if r.IntN(2) == 0 {
			table = workloadTable
		}
		_, err := s.client.UpdateTable(s.Context(), &dynamodb.UpdateTableInput{
			TableName: &table, GlobalSecondaryIndexUpdates: []types.GlobalSecondaryIndexUpdate{change},
			AttributeDefinitions: []types.AttributeDefinition{{AttributeName: aws.String("u"), AttributeType: types.ScalarAttributeTypeN}},
		})
		return err
	},
	"DescribeTable": func(s *workload, r *rand.Rand) error {
		_, err := s.client.DescribeTable(s.Context(), &dynamodb.DescribeTableInput{TableName: anyTable(r)})
		return err
	},
	"ListTables": func(s *workload, r *rand.Rand) error {
		_, err := s.client.ListTables(s.Context(), &dynamodb.ListTablesInput{Limit: aws.Int32(int32(1 + r.IntN(5)))})
		return err
	},
	"DescribeLimits": func(s *workload, _ *rand.Rand) error {
		_, err := s.client.DescribeLimits(s.Context(), &dynamodb.DescribeLimitsInput{})
		return err
	},
	"DescribeEndpoints": func(s *workload, _ *rand.Rand) error {
		_, err := s.client.DescribeEndpoints(s.Context(), &dynamodb.DescribeEndpointsInput{})
		return err
	},
	"UpdateTimeToLive": func(s *workload, r *rand.Rand) error {
		_, err := s.client.UpdateTimeToLive(s.Context(), &dynamodb.UpdateTimeToLiveInput{
			TableName: aws.String(temporaryTable(r)), TimeToLiveSpecification: ttlOf("x"),
		})
		return err
	},
	"DescribeTimeToLive": func(s *workload, r *rand.Rand) error {
		_, err := s.client.DescribeTimeToLive(s.Context(), &dynamodb.DescribeTimeToLiveInput{TableName: anyTable(r)})
		return err
	},
	"UpdateContinuousBackups": func(s *workload, r *rand.Rand) error {
		_, err := s.client.UpdateContinuousBackups(s.Context(), &dynamodb.UpdateContinuousBackupsInput{
			TableName: anyTable(r), PointInTimeRecoverySpecification: recovery(r.IntN(2) == 0),
		})
		return err
	},
	"DescribeContinuousBackups": func(s *workload, r *rand.Rand) error {
		_, err := s.client.DescribeContinuousBackups(s.Context(), &dynamodb.DescribeContinuousBackupsInput{TableName: anyTable(r)})
		return err
	},
	"ListBackups": func(s *workload, r *rand.Rand) error {
		_, err := s.client.ListBackups(s.Context(), &dynamodb.ListBackupsInput{TableName: anyTable(r)})
		return err
	},
	"ListExports": func(s *workload, _ *rand.Rand) error {
		_, err := s.client.ListExports(s.Context(), &dynamodb.ListExportsInput{})
		return err
	},
	"ListImports": func(s *workload, _ *rand.Rand) error {
		_, err := s.client.ListImports(s.Context(), &dynamodb.ListImportsInput{})
		return err
	},
	"ListGlobalTables": func(s *workload, _ *rand.Rand) error {
		_, err := s.client.ListGlobalTables(s.Context(), &dynamodb.ListGlobalTablesInput{})
		return err
	},
	"DescribeContributorInsights": func(s *workload, r *rand.Rand) error {
		_, err := s.client.DescribeContributorInsights(s.Context(), &dynamodb.DescribeContributorInsightsInput{TableName: anyTable(r)})
		return err
	},
	"DescribeKinesisStreamingDestination": func(s *workload, r *rand.Rand) error {
		_, err := s.client.DescribeKinesisStreamingDestination(s.Context(), &dynamodb.DescribeKinesisStreamingDestinationInput{TableName: anyTable(r)})
		return err
	},
	"TagResource": func(s *workload, r *rand.Rand) error {
		_, err := s.client.TagResource(s.Context(), &dynamodb.TagResourceInput{
			ResourceArn: s.arn(*anyTable(r)), Tags: []types.Tag{{Key: aws.String("k"), Value: aws.String(fmt.Sprint(r.IntN(9)))}},
		})
		return err
	},
	"UntagResource": func(s *workload, r *rand.Rand) error {
		_, err := s.client.UntagResource(s.Context(), &dynamodb.UntagResourceInput{ResourceArn: s.arn(*anyTable(r)), TagKeys: []string{"k"}})
		return err
	},
	"ListTagsOfResource": func(s *workload, r *rand.Rand) error {
		_, err := s.client.ListTagsOfResource(s.Context(), &dynamodb.ListTagsOfResourceInput{ResourceArn: s.arn(*anyTable(r))})
		return err
	},

	"ListStreams":      (*workload).readStream,
	"DescribeStream":   (*workload).readStream,
	"GetShardIterator": (*workload).readStream,
	"GetRecords":       (*workload).readStream,
}

func (s *workload) arn(table string) *string { return aws.String(s.prefix + table) }

// readStream reads a part of each stream.
func (s *workload) readStream(*rand.Rand) error {
	list, err := s.streams.ListStreams(s.Context(), &dynamodbstreams.ListStreamsInput{})
	if err != nil {
		return err
	}
	for _, stream := range list.Streams {
		described, err := s.streams.DescribeStream(s.Context(), &dynamodbstreams.DescribeStreamInput{StreamArn: stream.StreamArn})
		if err != nil {
			return err
		}
		for _, shard := range described.StreamDescription.Shards {
			at, err := s.streams.GetShardIterator(s.Context(), &dynamodbstreams.GetShardIteratorInput{
				StreamArn: stream.StreamArn, ShardId: shard.ShardId, ShardIteratorType: streamtypes.ShardIteratorTypeTrimHorizon,
			})
			if err != nil {
				return err
			}
			if _, err = s.streams.GetRecords(s.Context(), &dynamodbstreams.GetRecordsInput{ShardIterator: at.ShardIterator, Limit: aws.Int32(5)}); err != nil {
				return err
			}
		}
	}
	return nil
}

// ofStream returns an item of a stream record as text.
func (s *workload) ofStream(image map[string]streamtypes.AttributeValue) string {
	s.Helper()
	item, err := attributevalue.FromDynamoDBStreamsMap(image)
	if err != nil {
		s.Error(err)
	}
	return written(item)
}
