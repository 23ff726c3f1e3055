package ddbtest_test

import (
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/internal/engines"
)

// TestContinuousBackups runs the operations of backups through the SDK. DynamoDB Local does not
// have them, so there the test checks only that.
func TestContinuousBackups(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		client := e.Client(t)
		in := thingsTable()
		in.BillingMode = types.BillingModePayPerRequest
		_, err := client.CreateTable(t.Context(), in)
		require.NoError(t, err)
		enable := &dynamodb.UpdateContinuousBackupsInput{TableName: aws.String(things), PointInTimeRecoverySpecification: recovery(true)}
		describe := &dynamodb.DescribeContinuousBackupsInput{TableName: aws.String(things)}
		if e.Name == engines.DynamoDBLocal {
			_, err := client.UpdateContinuousBackups(t.Context(), enable)
			requireCode(t, "UnknownOperationException", err)
			_, err = client.DescribeContinuousBackups(t.Context(), describe)
			requireCode(t, "UnknownOperationException", err)
			return
		}

		before, err := client.DescribeContinuousBackups(t.Context(), describe)
		require.NoError(t, err)
		require.Equal(t, types.ContinuousBackupsStatusEnabled, before.ContinuousBackupsDescription.ContinuousBackupsStatus)
		require.Equal(t, &types.PointInTimeRecoveryDescription{PointInTimeRecoveryStatus: types.PointInTimeRecoveryStatusDisabled},
			before.ContinuousBackupsDescription.PointInTimeRecoveryDescription)
		updated, err := client.UpdateContinuousBackups(t.Context(), enable)
		require.NoError(t, err)
		after, err := client.DescribeContinuousBackups(t.Context(), describe)
		require.NoError(t, err)
		require.Equal(t, updated.ContinuousBackupsDescription, after.ContinuousBackupsDescription)
		d := after.ContinuousBackupsDescription.PointInTimeRecoveryDescription
		require.Equal(t, types.PointInTimeRecoveryStatusEnabled, d.PointInTimeRecoveryStatus)
		require.Equal(t, int32(35), aws.ToInt32(d.RecoveryPeriodInDays))
		require.WithinDuration(t, ddbtest.Of(client).Now(), aws.ToTime(d.EarliestRestorableDateTime), time.Hour)

		nowhere := aws.String("nowhere")
		_, err = client.UpdateContinuousBackups(t.Context(), &dynamodb.UpdateContinuousBackupsInput{
			TableName: nowhere, PointInTimeRecoverySpecification: recovery(false),
		})
		requireErrorAs[*types.TableNotFoundException](t, err)
		_, err = client.DescribeContinuousBackups(t.Context(), &dynamodb.DescribeContinuousBackupsInput{TableName: nowhere})
		requireErrorAs[*types.TableNotFoundException](t, err)
		tooLong := recovery(true)
		tooLong.RecoveryPeriodInDays = aws.Int32(36)
		_, err = client.UpdateContinuousBackups(t.Context(), &dynamodb.UpdateContinuousBackupsInput{
			TableName: aws.String(things), PointInTimeRecoverySpecification: tooLong,
		})
		requireCode(t, "ValidationException", err)
	})
}

// TestContinuousBackupsWhileCreating calls the operation before the table is ACTIVE.
func TestContinuousBackupsWhileCreating(t *testing.T) {
	t.Parallel()
	db := ddbtest.Start(t, ddbtest.Options{TableDelay: time.Hour})
	in := thingsTable()
	in.BillingMode = types.BillingModePayPerRequest
	_, err := db.Client().CreateTable(t.Context(), in)
	require.NoError(t, err)
	enable := &dynamodb.UpdateContinuousBackupsInput{TableName: aws.String(things), PointInTimeRecoverySpecification: recovery(true)}
	_, err = db.Client().UpdateContinuousBackups(t.Context(), enable)
	requireErrorAs[*types.ContinuousBackupsUnavailableException](t, err)
	db.Advance(time.Hour)
	_, err = db.Client().UpdateContinuousBackups(t.Context(), enable)
	require.NoError(t, err)
}

func requireCode(t *testing.T, code string, err error, what ...any) {
	t.Helper()
	var rejected smithy.APIError
	require.ErrorAs(t, err, &rejected, what...)
	require.Equal(t, code, rejected.ErrorCode(), what...)
}

func requireErrorAs[E error](t *testing.T, err error) {
	t.Helper()
	var target E
	require.ErrorAs(t, err, &target)
}
