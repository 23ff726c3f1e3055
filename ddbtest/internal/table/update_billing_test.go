package table

import (
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest/internal/api"
)

// TestUpdateBilling switches the billing mode and back.
func TestUpdateBilling(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := newTabCall(t, onProvisioned)
		require.Nil(t, described(t, c).BillingModeSummary, "of a table that was never on demand")
		update := func(in *api.UpdateTableInput) *api.TableDescription {
			in.TableName = "tab"
			_, err := Update(c, in)
			require.NoError(t, err)
			return described(t, c)
		}
		onDemand := update(&api.UpdateTableInput{BillingMode: payPerRequest})
		require.Equal(t, &api.BillingModeSummary{BillingMode: payPerRequest, LastUpdateToPayPerRequestDateTime: api.Seconds(c.Now())}, onDemand.BillingModeSummary)
		require.Zero(t, *onDemand.ProvisionedThroughput.ReadCapacityUnits+*onDemand.GlobalSecondaryIndexes[0].ProvisionedThroughput.WriteCapacityUnits)

		back := update(&api.UpdateTableInput{
			BillingMode: provisioned, ProvisionedThroughput: units(3, 4), GlobalSecondaryIndexUpdates: updates{provisions("glo", units(1, 2))},
		})
		require.Equal(t, provisioned, back.BillingModeSummary.BillingMode)
		require.Equal(t, []int64{3, 4, 1, 2}, []int64{
			*back.ProvisionedThroughput.ReadCapacityUnits, *back.ProvisionedThroughput.WriteCapacityUnits,
			*back.GlobalSecondaryIndexes[0].ProvisionedThroughput.ReadCapacityUnits, *back.GlobalSecondaryIndexes[0].ProvisionedThroughput.WriteCapacityUnits,
		})

		again := update(&api.UpdateTableInput{BillingMode: payPerRequest})
		require.Equal(t, again.BillingModeSummary, update(&api.UpdateTableInput{BillingMode: payPerRequest}).BillingModeSummary)
	})
}
