package table

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest/internal/api"
	"github.com/trestledb/trestle/ddbtest/internal/awserr"
)

// warm returns a warm throughput. Units of 0 are absent.
func warm(read, write int64) *api.WarmThroughput {
	in := &api.WarmThroughput{}
	if read != 0 {
		in.ReadUnitsPerSecond = &read
	}
	if write != 0 {
		in.WriteUnitsPerSecond = &write
	}
	return in
}

// indexed returns a table on demand with the index "glo".
func indexed() *api.CreateTableInput {
	in := simple("tab")
	in.GlobalSecondaryIndexes = []api.GlobalSecondaryIndex{global("glo", key(by("b")))}
	return in
}

func warms(index string, in *api.WarmThroughput) api.GlobalSecondaryIndexUpdate {
	return api.GlobalSecondaryIndexUpdate{Update: &api.UpdateGlobalSecondaryIndex{IndexName: index, WarmThroughput: in}}
}

// describedWarm returns the units of the table and of its index, both ACTIVE.
func describedWarm(t *testing.T, d *api.TableDescription) (units []int64) {
	t.Helper()
	for _, w := range []*api.WarmThroughputDescription{d.WarmThroughput, d.GlobalSecondaryIndexes[0].WarmThroughput} {
		require.Equal(t, "ACTIVE", w.Status)
		units = append(units, *w.ReadUnitsPerSecond, *w.WriteUnitsPerSecond)
	}
	return units
}

// TestWarmThroughput raises the warm throughput by requests, by provisioned throughput and by the
// billing mode. Nothing lowers it.
func TestWarmThroughput(t *testing.T) {
	t.Parallel()
	c := newTabCall(t, func(in *api.CreateTableInput) {
		onProvisioned(in) // 5 and 6, and 7 and 8 for the index
		in.GlobalSecondaryIndexes[0].WarmThroughput = warm(0, 9)
	})
	require.Equal(t, []int64{5, 6, 7, 9}, describedWarm(t, described(t, c)))
	for _, step := range []struct {
		in   api.UpdateTableInput
		want []int64
	}{
		{api.UpdateTableInput{WarmThroughput: warm(10, 0)}, []int64{10, 6, 7, 9}},
		{api.UpdateTableInput{WarmThroughput: warm(10, 6)}, []int64{10, 6, 7, 9}},
		{api.UpdateTableInput{GlobalSecondaryIndexUpdates: updates{warms("glo", warm(20, 30))}}, []int64{10, 6, 20, 30}},
		{api.UpdateTableInput{ProvisionedThroughput: units(50, 1)}, []int64{50, 6, 20, 30}},
		{api.UpdateTableInput{ProvisionedThroughput: units(1, 1), GlobalSecondaryIndexUpdates: updates{provisions("glo", units(1, 1))}}, []int64{50, 6, 20, 30}},
		{api.UpdateTableInput{BillingMode: payPerRequest}, []int64{12000, 4000, 12000, 4000}},
		{api.UpdateTableInput{WarmThroughput: warm(0, 4001), GlobalSecondaryIndexUpdates: updates{warms("glo", warm(12002, 0))}}, []int64{12000, 4001, 12002, 4000}},
		{
			api.UpdateTableInput{BillingMode: provisioned, ProvisionedThroughput: units(1, 1), GlobalSecondaryIndexUpdates: updates{provisions("glo", units(1, 1))}},
			[]int64{12000, 4001, 12002, 4000},
		},
	} {
		step.in.TableName = "tab"
		_, err := Update(c, &step.in)
		require.NoError(t, err)
		require.Equal(t, step.want, describedWarm(t, described(t, c)))
	}

	c = newTabCall(t, func(in *api.CreateTableInput) {
		in.WarmThroughput, in.GlobalSecondaryIndexes[0].WarmThroughput = warm(12001, 0), warm(0, 0)
	})
	require.Equal(t, []int64{12001, 4000, 12000, 4000}, describedWarm(t, described(t, c)))
}

// TestWarmThroughputStatus checks the status of the table, and of the index, which has only two.
func TestWarmThroughputStatus(t *testing.T) {
	t.Parallel()
	c, in := newCall(), indexed()
	created, err := Create(c, in)
	require.NoError(t, err)
	require.Equal(t, creating, created.TableDescription.WarmThroughput.Status)
	require.Equal(t, updating, created.TableDescription.GlobalSecondaryIndexes[0].WarmThroughput.Status)
	updated, err := Update(c, &api.UpdateTableInput{TableName: "tab", WarmThroughput: warm(13000, 0)})
	require.NoError(t, err)
	require.Equal(t, updating, updated.TableDescription.WarmThroughput.Status)
	require.Equal(t, active, updated.TableDescription.GlobalSecondaryIndexes[0].WarmThroughput.Status)
}

// TestInvalidWarmThroughput checks the error messages. An invalid request changes nothing.
func TestInvalidWarmThroughput(t *testing.T) {
	t.Parallel()
	const (
		initial = " is lower than initial throughput for OnDemand. See: " + onDemandGuide
		lower   = " is lower than current WarmThroughput, decreasing WarmThroughput is not supported"
		read    = "Requested ReadUnitsPerSecond for WarmThroughput for "
		write   = "Requested WriteUnitsPerSecond for WarmThroughput for "
	)
	for want, change := range map[string]func(*api.CreateTableInput){
		read + "table" + initial:      func(in *api.CreateTableInput) { in.WarmThroughput = warm(11999, 1) },
		write + "table" + initial:     func(in *api.CreateTableInput) { in.WarmThroughput = warm(0, -1) },
		write + "index glo" + initial: func(in *api.CreateTableInput) { in.GlobalSecondaryIndexes[0].WarmThroughput = warm(12000, 1) },
		read + "table is lower than ReadCapacityUnits of ProvisionedThroughput": func(in *api.CreateTableInput) {
			onProvisioned(in)
			in.WarmThroughput = warm(4, 6)
		},
		write + "index glo is lower than WriteCapacityUnits of ProvisionedThroughput": func(in *api.CreateTableInput) {
			onProvisioned(in)
			in.GlobalSecondaryIndexes[0].WarmThroughput = warm(7, 7)
		},
	} {
		in := indexed()
		change(in)
		_, err := Create(newCall(), in)
		requireServiceError(t, err, awserr.CodeValidation, invalidValues+want)
	}
	yes := true
	for want, in := range map[string]api.UpdateTableInput{
		read + "table" + lower:      {WarmThroughput: warm(11999, 1)},
		write + "table" + lower:     {WarmThroughput: warm(0, 3999), DeletionProtectionEnabled: &yes},
		write + "index glo" + lower: {GlobalSecondaryIndexUpdates: updates{warms("glo", warm(12001, 1))}},
		"WarmThroughput must have at least one of ReadUnitsPerSecond or WriteUnitsPerSecond specified for index: glo": {GlobalSecondaryIndexUpdates: updates{warms("glo", warm(0, 0))}},
		"TableClass modification must be the only operation in the request":                                           {TableClass: "STANDARD", WarmThroughput: warm(12001, 0)},
	} {
		c := newTabCall(t, nil)
		before := described(t, c)
		in.TableName = "tab"
		_, err := Update(c, &in)
		requireServiceError(t, err, awserr.CodeValidation, invalidValues+want)
		require.Equal(t, before, described(t, c))
	}
	_, err := Update(newTabCall(t, nil), &api.UpdateTableInput{TableName: "tab", GlobalSecondaryIndexUpdates: updates{warms("ghost", warm(13000, 0))}})
	var serviceErr *awserr.Error
	require.ErrorAs(t, err, &serviceErr)
	require.Equal(t, awserr.CodeResourceNotFound, serviceErr.Code)
}
