package table

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest/internal/api"
	"github.com/trestledb/trestle/ddbtest/internal/awserr"
)

// limit returns limits on demand. A limit of 0 is absent.
func limit(read, write int64) *api.OnDemandThroughput {
	in := &api.OnDemandThroughput{}
	if read != 0 {
		in.MaxReadRequestUnits = &read
	}
	if write != 0 {
		in.MaxWriteRequestUnits = &write
	}
	return in
}

func limits(index string, in *api.OnDemandThroughput) api.GlobalSecondaryIndexUpdate {
	return api.GlobalSecondaryIndexUpdate{Update: &api.UpdateGlobalSecondaryIndex{IndexName: index, OnDemandThroughput: in}}
}

// TestOnDemandLimits changes the limits of a table and of its index.
func TestOnDemandLimits(t *testing.T) {
	t.Parallel()
	c := newTabCall(t, func(in *api.CreateTableInput) {
		in.OnDemandThroughput, in.GlobalSecondaryIndexes[0].OnDemandThroughput = limit(20, 15), limit(200, 0)
	})
	requireLimits := func(table, index *api.OnDemandThroughput) {
		t.Helper()
		d := described(t, c)
		require.Equal(t, table, d.OnDemandThroughput)
		require.Equal(t, index, d.GlobalSecondaryIndexes[0].OnDemandThroughput)
	}
	requireLimits(limit(20, 15), limit(200, 0))
	update := func(in *api.UpdateTableInput) {
		t.Helper()
		in.TableName = "tab"
		_, err := Update(c, in)
		require.NoError(t, err)
	}
	update(&api.UpdateTableInput{OnDemandThroughput: limit(40, 0)})
	requireLimits(limit(40, 15), limit(200, 0))
	update(&api.UpdateTableInput{OnDemandThroughput: limit(noLimit, 0), GlobalSecondaryIndexUpdates: updates{limits("glo", limit(noLimit, 7))}})
	requireLimits(limit(0, 15), limit(0, 7))
	update(&api.UpdateTableInput{
		BillingMode: provisioned, ProvisionedThroughput: units(1, 1), GlobalSecondaryIndexUpdates: updates{provisions("glo", units(1, 1))},
	})
	requireLimits(nil, nil)
	update(&api.UpdateTableInput{BillingMode: payPerRequest})
	requireLimits(nil, nil)
	update(&api.UpdateTableInput{OnDemandThroughput: limit(0, 3)})
	requireLimits(limit(0, 3), nil)
	update(&api.UpdateTableInput{OnDemandThroughput: limit(0, noLimit)})
	requireLimits(nil, nil)
}

// TestNewTablesWithoutLimits ignores an object without members, as the service does.
func TestNewTablesWithoutLimits(t *testing.T) {
	t.Parallel()
	for _, change := range []func(*api.CreateTableInput){nil, onProvisioned} {
		c := newTabCall(t, func(in *api.CreateTableInput) {
			in.OnDemandThroughput = &api.OnDemandThroughput{}
			if change != nil {
				change(in)
			}
		})
		require.Nil(t, described(t, c).OnDemandThroughput)
	}
}

// TestInvalidOnDemandLimits checks the error messages of new and changed limits.
func TestInvalidOnDemandLimits(t *testing.T) {
	t.Parallel()
	zero := int64(0)
	for _, test := range []struct {
		name            string
		table           func(*api.CreateTableInput)
		in              *api.OnDemandThroughput
		created, update string
	}{
		{"zero", nil, &api.OnDemandThroughput{MaxWriteRequestUnits: &zero},
			"Requested MaxWriteRequestUnits for OnDemandThroughput for table is outside of valid range",
			"Requested MaxWriteRequestUnits for OnDemandThroughput for table is outside of valid range"},
		{"negative", nil, limit(-2, 1),
			"Requested MaxReadRequestUnits for OnDemandThroughput for table is outside of valid range",
			"Requested MaxReadRequestUnits for OnDemandThroughput for table is outside of valid range"},
		{"negative and no limit", nil, limit(-2, noLimit),
			"Requested MaxReadRequestUnits for OnDemandThroughput for table is outside of valid range",
			"Requested MaxReadRequestUnits for OnDemandThroughput for table is outside of valid range"},
		{"no limit", nil, limit(noLimit, 0), "Requested MaxReadRequestUnits for OnDemandThroughput for table is outside of valid range", ""},
		{"provisioned", onProvisioned, limit(-2, 1),
			"MaxReadRequestUnits for OnDemandThroughput cannot be specified when table BillingMode is PROVISIONED.",
			"MaxReadRequestUnits for OnDemandThroughput cannot be specified when the table BillingMode is PROVISIONED"},
		{"provisioned writes", onProvisioned, limit(0, noLimit),
			"MaxWriteRequestUnits for OnDemandThroughput cannot be specified when table BillingMode is PROVISIONED.",
			"MaxWriteRequestUnits for OnDemandThroughput cannot be specified when the table BillingMode is PROVISIONED"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			in := simple("tab")
			in.OnDemandThroughput = test.in
			if test.table != nil {
				in.BillingMode, in.ProvisionedThroughput = provisioned, units(1, 1)
			}
			_, err := Create(newCall(), in)
			requireServiceError(t, err, awserr.CodeValidation, invalidValues+test.created)
			_, err = Update(newTabCall(t, test.table), &api.UpdateTableInput{TableName: "tab", OnDemandThroughput: test.in})
			if test.update == "" {
				require.NoError(t, err)
				return
			}
			requireServiceError(t, err, awserr.CodeValidation, invalidValues+test.update)
		})
	}
	_, err := Update(newTabCall(t, nil), &api.UpdateTableInput{TableName: "tab", GlobalSecondaryIndexUpdates: updates{limits("glo", limit(-2, 0))}})
	requireServiceError(t, err, awserr.CodeValidation, invalidValues+"Requested MaxReadRequestUnits for OnDemandThroughput for index: glo is outside of valid range")
	_, err = Update(newTabCall(t, nil), &api.UpdateTableInput{TableName: "tab", OnDemandThroughput: &api.OnDemandThroughput{}})
	var serviceErr *awserr.Error
	require.ErrorAs(t, err, &serviceErr)
	require.Contains(t, serviceErr.Message, "At least one of")
}
