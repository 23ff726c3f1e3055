package ddbtest_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest"
)

// unitsOf returns a throughput with as many units for reads as for writes.
func unitsOf(n int64) *types.ProvisionedThroughput {
	return &types.ProvisionedThroughput{ReadCapacityUnits: &n, WriteCapacityUnits: &n}
}

// provisionedTable returns a table with a global index, both with 5 units.
func provisionedTable() *dynamodb.CreateTableInput {
	in := tableOf("pk:S", ix{name: "global", key: "x:N"})
	in.TableName = aws.String("provisioned")
	in.BillingMode, in.ProvisionedThroughput = types.BillingModeProvisioned, unitsOf(5)
	in.GlobalSecondaryIndexes[0].ProvisionedThroughput = unitsOf(5)
	return in
}

// TestDecreasesAreDescribed requires the number of decreases wherever throughput is described, also
// if it is 0, and of a table on demand.
func TestDecreasesAreDescribed(t *testing.T) {
	t.Parallel()
	onEveryEngine(t, named("first", tableOf("pk:S")), func(s *session) {
		for _, table := range []*dynamodb.CreateTableInput{provisionedTable(), tableOf("pk:S", ix{name: "global", key: "x:N"})} {
			check := func(d *types.TableDescription, operation string) {
				s.Helper()
				require.Equal(s, aws.Int64(0), d.ProvisionedThroughput.NumberOfDecreasesToday, operation)
				for _, index := range d.GlobalSecondaryIndexes {
					if s.local {
						continue // it omits the number of an index
					}
					require.Equal(s, aws.Int64(0), index.ProvisionedThroughput.NumberOfDecreasesToday, operation)
				}
			}
			created, err := s.client.CreateTable(s.Context(), table)
			require.NoError(s, err)
			check(created.TableDescription, "CreateTable")
			described, err := s.client.DescribeTable(s.Context(), &dynamodb.DescribeTableInput{TableName: table.TableName})
			require.NoError(s, err)
			check(described.Table, "DescribeTable")
			require.Len(s, described.Table.GlobalSecondaryIndexes, 1)
			deleted, err := s.client.DeleteTable(s.Context(), &dynamodb.DeleteTableInput{TableName: table.TableName})
			require.NoError(s, err)
			check(deleted.TableDescription, "DeleteTable")
		}
	})
}

// TestDecreasesAreCounted changes throughput, and checks the number of decreases and the times. It
// moves the clock, so it does not run on DynamoDB Local.
func TestDecreasesAreCounted(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		db := ddbtest.Start(t, ddbtest.Options{TableDelay: time.Minute})
		client, in := db.Client(), provisionedTable()
		db.CreateTable(t, in)
		describe := func() (table, index *types.ProvisionedThroughputDescription) {
			out, err := client.DescribeTable(t.Context(), &dynamodb.DescribeTableInput{TableName: in.TableName})
			require.NoError(t, err)
			return out.Table.ProvisionedThroughput, out.Table.GlobalSecondaryIndexes[0].ProvisionedThroughput
		}
		change := func(up *dynamodb.UpdateTableInput) {
			up.TableName = in.TableName
			db.Advance(time.Hour)
			_, err := client.UpdateTable(t.Context(), up)
			require.NoError(t, err)
		}
		of := func(read, write int64) *types.ProvisionedThroughput {
			return &types.ProvisionedThroughput{ReadCapacityUnits: &read, WriteCapacityUnits: &write}
		}
		ofIndex := func(n int64) []types.GlobalSecondaryIndexUpdate {
			return []types.GlobalSecondaryIndexUpdate{{Update: &types.UpdateGlobalSecondaryIndexAction{
				IndexName: aws.String("global"), ProvisionedThroughput: unitsOf(n),
			}}}
		}
		require.Equal(t, time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC), db.Now().UTC().Truncate(time.Hour))

		change(&dynamodb.UpdateTableInput{ProvisionedThroughput: of(9, 9)})
		db.Advance(time.Minute)
		table, index := describe()
		require.Equal(t, []int64{0, 0}, []int64{*table.NumberOfDecreasesToday, *index.NumberOfDecreasesToday}, "an increase")
		require.True(t, db.Now().Equal(*table.LastIncreaseDateTime))
		require.Nil(t, table.LastDecreaseDateTime)
		require.Nil(t, index.LastIncreaseDateTime)

		change(&dynamodb.UpdateTableInput{ProvisionedThroughput: of(9, 8)})
		requested := db.Now()
		table, _ = describe()
		require.Equal(t, int64(0), *table.NumberOfDecreasesToday, "a decrease that is not done")
		require.True(t, requested.Equal(*table.LastDecreaseDateTime))
		db.Advance(time.Minute)
		table, index = describe()
		require.Equal(t, []int64{1, 0}, []int64{*table.NumberOfDecreasesToday, *index.NumberOfDecreasesToday})
		require.True(t, db.Now().Equal(*table.LastDecreaseDateTime))

		change(&dynamodb.UpdateTableInput{ProvisionedThroughput: of(10, 7), GlobalSecondaryIndexUpdates: ofIndex(4)})
		db.Advance(time.Minute)
		table, index = describe()
		require.Equal(t, []int64{2, 1}, []int64{*table.NumberOfDecreasesToday, *index.NumberOfDecreasesToday}, "reads increase, writes decrease")
		require.Equal(t, *table.LastIncreaseDateTime, *table.LastDecreaseDateTime)

		db.Advance(24 * time.Hour)
		table, index = describe()
		require.Equal(t, []int64{0, 0}, []int64{*table.NumberOfDecreasesToday, *index.NumberOfDecreasesToday}, "the next day")
		require.NotNil(t, table.LastDecreaseDateTime)

		change(&dynamodb.UpdateTableInput{BillingMode: types.BillingModePayPerRequest})
		db.Advance(time.Minute)
		table, index = describe()
		require.Equal(t, []int64{0, 1}, []int64{*table.NumberOfDecreasesToday, *index.NumberOfDecreasesToday}, "a switch to on-demand billing")
		require.Nil(t, table.LastDecreaseDateTime)
		require.True(t, db.Now().Equal(*index.LastDecreaseDateTime))

		change(&dynamodb.UpdateTableInput{BillingMode: types.BillingModeProvisioned, ProvisionedThroughput: unitsOf(1), GlobalSecondaryIndexUpdates: ofIndex(1)})
		db.Advance(time.Minute)
		table, index = describe()
		require.Equal(t, []int64{0, 1}, []int64{*table.NumberOfDecreasesToday, *index.NumberOfDecreasesToday}, "a switch to provisioned billing")
		require.True(t, db.Now().Equal(*index.LastIncreaseDateTime))
	})
}
