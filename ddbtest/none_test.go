package ddbtest_test

import (
	"context"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest"
)

// TestThereAreNone checks the replies to requests for what a database does not have: backups,
// exports, imports, global tables, contributor insights and Kinesis streams.
func TestThereAreNone(t *testing.T) {
	t.Parallel()
	db := setup(t)
	ctx, client := t.Context(), db.Client()
	arn := aws.String("arn:aws:dynamodb:us-east-1:123456789012:table/things")
	for _, table := range []*string{nil, aws.String(things), arn, aws.String("missing")} {
		backups, err := client.ListBackups(ctx, &dynamodb.ListBackupsInput{TableName: table, Limit: aws.Int32(100), BackupType: types.BackupTypeFilterAll})
		require.NoError(t, err)
		require.Equal(t, []types.BackupSummary{}, backups.BackupSummaries)
		require.Nil(t, backups.LastEvaluatedBackupArn)
		exports, err := client.ListExports(ctx, &dynamodb.ListExportsInput{TableArn: table, MaxResults: aws.Int32(25)})
		require.NoError(t, err)
		require.Equal(t, []types.ExportSummary{}, exports.ExportSummaries)
		imports, err := client.ListImports(ctx, &dynamodb.ListImportsInput{TableArn: table, PageSize: aws.Int32(25)})
		require.NoError(t, err)
		require.Equal(t, []types.ImportSummary{}, imports.ImportSummaryList)
	}
	global, err := client.ListGlobalTables(ctx, &dynamodb.ListGlobalTablesInput{RegionName: aws.String("eu-north-1"), Limit: aws.Int32(1)})
	require.NoError(t, err)
	require.Equal(t, []types.GlobalTable{}, global.GlobalTables)
	for _, table := range []*string{aws.String(things), arn} {
		insights, err := client.DescribeContributorInsights(ctx, &dynamodb.DescribeContributorInsightsInput{TableName: table, IndexName: aws.String("byColor")})
		require.NoError(t, err)
		require.Equal(t, types.ContributorInsightsStatusDisabled, insights.ContributorInsightsStatus)
		require.Equal(t, things, *insights.TableName)
		require.Equal(t, "byColor", *insights.IndexName)
		streaming, err := client.DescribeKinesisStreamingDestination(ctx, &dynamodb.DescribeKinesisStreamingDestinationInput{TableName: table})
		require.NoError(t, err)
		require.Equal(t, things, *streaming.TableName)
		require.Equal(t, []types.KinesisDataStreamDestination{}, streaming.KinesisDataStreamDestinations)
	}
}

// TestInvalidRequestsForNone checks that the requests are validated.
func TestInvalidRequestsForNone(t *testing.T) {
	t.Parallel()
	db := setup(t)
	ctx, client := t.Context(), db.Client()
	missing := aws.String("missing")
	for name, c := range map[string]struct {
		want string
		call func() error
	}{
		"insights of a missing table": {"ResourceNotFoundException", func() error {
			_, err := client.DescribeContributorInsights(ctx, &dynamodb.DescribeContributorInsightsInput{TableName: missing})
			return err
		}},
		"insights of a missing index": {"ResourceNotFoundException", func() error {
			_, err := client.DescribeContributorInsights(ctx, &dynamodb.DescribeContributorInsightsInput{TableName: aws.String(things), IndexName: missing})
			return err
		}},
		"Kinesis streams of a missing table": {"ResourceNotFoundException", func() error {
			_, err := client.DescribeKinesisStreamingDestination(ctx, &dynamodb.DescribeKinesisStreamingDestinationInput{TableName: missing})
			return err
		}},
		"type of backups": {"ValidationException", func() error {
			_, err := client.ListBackups(ctx, &dynamodb.ListBackupsInput{BackupType: "NIGHTLY"})
			return err
		}},
		"limit of backups": {"ValidationException", func() error {
			_, err := client.ListBackups(ctx, &dynamodb.ListBackupsInput{Limit: aws.Int32(101)})
			return err
		}},
		"limit of exports": {"ValidationException", func() error {
			_, err := client.ListExports(ctx, &dynamodb.ListExportsInput{MaxResults: aws.Int32(26)})
			return err
		}},
		"limit of imports": {"ValidationException", func() error {
			_, err := client.ListImports(ctx, &dynamodb.ListImportsInput{PageSize: aws.Int32(0)})
			return err
		}},
		"limit of global tables": {"ValidationException", func() error {
			_, err := client.ListGlobalTables(ctx, &dynamodb.ListGlobalTablesInput{Limit: aws.Int32(0)})
			return err
		}},
	} {
		require.Equal(t, c.want, resultOf(c.call()), name)
	}
}

// TestPolicyOfNone checks the actions and resources of the requests: lists need "*".
func TestPolicyOfNone(t *testing.T) {
	t.Parallel()
	db := setup(t)
	const table = "arn:aws:dynamodb:us-east-1:123456789012:table/things"
	list := func(ctx context.Context, c *dynamodb.Client) error {
		_, err := c.ListBackups(ctx, &dynamodb.ListBackupsInput{TableName: aws.String(things)})
		return err
	}
	insights := func(ctx context.Context, c *dynamodb.Client) error {
		_, err := c.DescribeContributorInsights(ctx, &dynamodb.DescribeContributorInsightsInput{TableName: aws.String(things), IndexName: aws.String("byColor")})
		return err
	}
	client := func(action, resource string) *dynamodb.Client {
		return db.Client(db.WithPolicy(ddbtest.Policy{Document: `{"Version":"2012-10-17","Statement":{"Effect":"Allow","Action":"dynamodb:` + action + `","Resource":"` + resource + `"}}`}))
	}
	require.NoError(t, list(t.Context(), client("ListBackups", "*")))
	requireDenied(t, list(t.Context(), client("ListBackups", table)), "a list")
	require.NoError(t, insights(t.Context(), client("DescribeContributorInsights", table+"/index/byColor")))
	requireDenied(t, insights(t.Context(), client("DescribeContributorInsights", table)), "an index")
}
