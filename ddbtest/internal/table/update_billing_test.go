package table

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest/internal/api"
)

// TestUpdateBilling switches the billing mode and back.
func TestUpdateBilling(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := made(t, onProvisioned)
		require.Nil(t, described(t, c).BillingModeSummary, "of a table that was never on demand")
		update := func(in *api.UpdateTableInput) *api.TableDescription {
			in.TableName = "tab"
			_, err := Update(c, in)
			require.NoError(t, err)
			return described(t, c)
		}
		onDemand := update(&api.UpdateTableInput{BillingMode: payPerRequest, OnDemandThroughput: &api.OnDemandThroughput{MaxReadRequestUnits: pointer(int64(9))}})
		require.Equal(t, &api.BillingModeSummary{BillingMode: payPerRequest, LastUpdateToPayPerRequestDateTime: seconds(c.Now())}, onDemand.BillingModeSummary)
		require.Zero(t, *onDemand.ProvisionedThroughput.ReadCapacityUnits+*onDemand.GlobalSecondaryIndexes[0].ProvisionedThroughput.WriteCapacityUnits)
		require.Equal(t, &api.OnDemandThroughput{MaxReadRequestUnits: pointer(int64(9)), MaxWriteRequestUnits: pointer(int64(-1))}, onDemand.OnDemandThroughput)
		require.Equal(t, int64(12000), *onDemand.WarmThroughput.ReadUnitsPerSecond)

		back := update(&api.UpdateTableInput{
			BillingMode: provisioned, ProvisionedThroughput: units(3, 4), GlobalSecondaryIndexUpdates: updates{provisions("glo", units(1, 2))},
		})
		require.Equal(t, provisioned, back.BillingModeSummary.BillingMode)
		require.Equal(t, []int64{3, 4, 1, 2}, []int64{
			*back.ProvisionedThroughput.ReadCapacityUnits, *back.ProvisionedThroughput.WriteCapacityUnits,
			*back.GlobalSecondaryIndexes[0].ProvisionedThroughput.ReadCapacityUnits, *back.GlobalSecondaryIndexes[0].ProvisionedThroughput.WriteCapacityUnits,
		})
		require.Nil(t, back.OnDemandThroughput)

		again := update(&api.UpdateTableInput{BillingMode: payPerRequest})
		require.Equal(t, again.BillingModeSummary, update(&api.UpdateTableInput{BillingMode: payPerRequest}).BillingModeSummary)
	})
}

// TestDecreases decreases a throughput up to the limit of a day.
func TestDecreases(t *testing.T) {
	t.Parallel()
	// The fake clock starts at midnight, UTC.
	synctest.Test(t, func(t *testing.T) {
		c := made(t, onProvisioned)
		read := int64(1000)
		set := func(units int64, write int64) error {
			_, err := Update(c, &api.UpdateTableInput{TableName: "tab", ProvisionedThroughput: &api.ProvisionedThroughput{
				ReadCapacityUnits: &units, WriteCapacityUnits: &write}})
			return err
		}
		lower := func() error { read--; return set(read, 6) }
		require.NoError(t, set(read, 6))
		for range 4 {
			require.NoError(t, lower())
		}
		require.NoError(t, set(read+1, 7), "raising it is free")
		refused(t, lower(), "LimitExceededException", "Subscriber limit exceeded: Provisioned throughput decreases are limited within a given UTC day. "+
			"After the first 4 decreases, each subsequent decrease in the same UTC day can be performed at most once every 3600 seconds. "+
			"Number of decreases today: 4. Last decrease at Sat, 01 Jan 2000 00:00:00 UTC. Next decrease can be made at Sat, 01 Jan 2000 01:00:00 UTC")
		c.DB.Clock.Advance(time.Hour)
		require.NoError(t, lower())
		require.Error(t, lower())
		p := described(t, c).ProvisionedThroughput
		require.Equal(t, int64(5), *p.NumberOfDecreasesToday)
		require.Equal(t, seconds(c.Now()), p.LastDecreaseDateTime)
		require.Equal(t, seconds(c.Now().Add(-time.Hour)), p.LastIncreaseDateTime)

		c.DB.Clock.Advance(23 * time.Hour)
		require.Zero(t, *described(t, c).ProvisionedThroughput.NumberOfDecreasesToday)
		for range 4 {
			require.NoError(t, lower())
		}
		require.Error(t, lower())
	})
}
