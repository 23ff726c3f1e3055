package ddbtest_test

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/internal/engines"
)

// TestTableSettings creates a table with settings that affect no data, and describes it. DynamoDB
// Local accepts them all, and describes only the limits.
func TestTableSettings(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		client := e.Client(t)
		in := thingsTable()
		in.BillingMode = types.BillingModePayPerRequest
		in.TableClass = types.TableClassStandardInfrequentAccess
		in.SSESpecification = &types.SSESpecification{Enabled: aws.Bool(true)}
		in.OnDemandThroughput = &types.OnDemandThroughput{MaxReadRequestUnits: aws.Int64(10), MaxWriteRequestUnits: aws.Int64(5)}
		_, err := client.CreateTable(t.Context(), in)
		require.NoError(t, err)
		described := func() *types.TableDescription {
			out, err := client.DescribeTable(t.Context(), &dynamodb.DescribeTableInput{TableName: aws.String(things)})
			require.NoError(t, err)
			return out.Table
		}
		require.Equal(t, in.OnDemandThroughput, described().OnDemandThroughput)
		update := &dynamodb.UpdateTableInput{
			TableName:          aws.String(things),
			OnDemandThroughput: &types.OnDemandThroughput{MaxReadRequestUnits: aws.Int64(20), MaxWriteRequestUnits: aws.Int64(15)},
		}
		_, err = client.UpdateTable(t.Context(), update)
		require.NoError(t, err)
		require.Equal(t, update.OnDemandThroughput, described().OnDemandThroughput)

		toStandard := &dynamodb.UpdateTableInput{TableName: aws.String(things), TableClass: types.TableClassStandard}
		_, err = client.UpdateTable(t.Context(), toStandard)
		if e.Name == engines.DynamoDBLocal {
			requireCode(t, "ValidationException", err)
			require.Nil(t, described().TableClassSummary)
			require.Nil(t, described().SSEDescription)
			return
		}
		require.NoError(t, err)
		require.Equal(t, types.TableClassStandard, described().TableClassSummary.TableClass)
		require.True(t, aws.ToTime(described().TableClassSummary.LastUpdateDateTime).Before(ddbtest.Of(client).Now().Add(1)))
		require.Equal(t, types.SSEStatusEnabled, described().SSEDescription.Status)
		require.Equal(t, types.SSETypeKms, described().SSEDescription.SSEType)
		require.Regexp(t, "^arn:aws:kms:", aws.ToString(described().SSEDescription.KMSMasterKeyArn))
	})
}

// TestWarmThroughput creates a table with a warm throughput, and raises it. DynamoDB Local accepts
// every one for a new table, does not describe it, and fails to change that of an index.
func TestWarmThroughput(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		client := e.Client(t)
		in := thingsTable()
		in.BillingMode = types.BillingModePayPerRequest
		in.WarmThroughput = &types.WarmThroughput{ReadUnitsPerSecond: aws.Int64(13_000), WriteUnitsPerSecond: aws.Int64(5_000)}
		in.GlobalSecondaryIndexes[0].WarmThroughput = &types.WarmThroughput{WriteUnitsPerSecond: aws.Int64(6_000)}
		_, err := client.CreateTable(t.Context(), in)
		require.NoError(t, err)
		raise := &dynamodb.UpdateTableInput{
			TableName: aws.String(things), WarmThroughput: &types.WarmThroughput{ReadUnitsPerSecond: aws.Int64(14_000)},
			GlobalSecondaryIndexUpdates: []types.GlobalSecondaryIndexUpdate{{Update: &types.UpdateGlobalSecondaryIndexAction{
				IndexName: aws.String("byColor"), WarmThroughput: &types.WarmThroughput{ReadUnitsPerSecond: aws.Int64(15_000)},
			}}},
		}
		_, raised := client.UpdateTable(t.Context(), raise)
		described, err := client.DescribeTable(t.Context(), &dynamodb.DescribeTableInput{TableName: aws.String(things)})
		require.NoError(t, err)
		if e.Name == engines.DynamoDBLocal {
			requireCode(t, "InternalFailure", raised)
			require.Nil(t, described.Table.WarmThroughput)
			require.Nil(t, described.Table.GlobalSecondaryIndexes[0].WarmThroughput)
			return
		}
		require.NoError(t, raised)
		require.Equal(t, &types.TableWarmThroughputDescription{
			ReadUnitsPerSecond: aws.Int64(14_000), WriteUnitsPerSecond: aws.Int64(5_000), Status: types.TableStatusActive,
		}, described.Table.WarmThroughput)
		require.Equal(t, &types.GlobalSecondaryIndexWarmThroughputDescription{
			ReadUnitsPerSecond: aws.Int64(15_000), WriteUnitsPerSecond: aws.Int64(6_000), Status: types.IndexStatusActive,
		}, described.Table.GlobalSecondaryIndexes[0].WarmThroughput)
		raise.WarmThroughput.ReadUnitsPerSecond = aws.Int64(13_999)
		_, err = client.UpdateTable(t.Context(), raise)
		requireCode(t, "ValidationException", err)
	})
}
