package table

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest/internal/api"
	"github.com/trestledb/trestle/ddbtest/internal/awserr"
	"github.com/trestledb/trestle/ddbtest/internal/engine"
)

type updates = []api.GlobalSecondaryIndexUpdate

func creates(ix api.GlobalSecondaryIndex) api.GlobalSecondaryIndexUpdate {
	return api.GlobalSecondaryIndexUpdate{Create: &ix}
}

func deletes(index string) api.GlobalSecondaryIndexUpdate {
	return api.GlobalSecondaryIndexUpdate{Delete: &api.DeleteGlobalSecondaryIndex{IndexName: index}}
}

func provisions(index string, p *api.ProvisionedThroughput) api.GlobalSecondaryIndexUpdate {
	return api.GlobalSecondaryIndexUpdate{Update: &api.UpdateGlobalSecondaryIndex{IndexName: index, ProvisionedThroughput: p}}
}

// newTabCall returns a call on a database with a table "tab": its key is a and b, it has a local
// index "loc", and a global index "glo" with the key b.
func newTabCall(t *testing.T, change func(*api.CreateTableInput)) *engine.Call {
	t.Helper()
	c, in := newCall(), simple("tab")
	in.LocalSecondaryIndexes = []api.LocalSecondaryIndex{local("loc", key(by("a"), "b"))}
	in.GlobalSecondaryIndexes = []api.GlobalSecondaryIndex{global("glo", key(by("b")))}
	if change != nil {
		change(in)
	}
	_, err := Create(c, in)
	require.NoError(t, err)
	return c
}

// onProvisioned makes the table of [newTabCall] a provisioned one.
func onProvisioned(in *api.CreateTableInput) {
	in.BillingMode, in.ProvisionedThroughput = provisioned, units(5, 6)
	in.GlobalSecondaryIndexes[0].ProvisionedThroughput = units(7, 8)
}

func described(t *testing.T, c *engine.Call) *api.TableDescription {
	t.Helper()
	out, err := Describe(c, &api.TableInput{TableName: "tab"})
	require.NoError(t, err)
	return out.Table
}

// TestUpdateRejects checks updates that are invalid for every table, or for this one. None of them
// changes anything.
func TestUpdateRejects(t *testing.T) {
	t.Parallel()
	yes, no := true, false
	const same = "The provisioned throughput for the %s will not change. The requested value equals the current value. " +
		"Current ReadCapacityUnits provisioned for the %[1]s: %[2]d. Requested ReadCapacityUnits: %[2]d. " +
		"Current WriteCapacityUnits provisioned for the %[1]s: %[3]d. Requested WriteCapacityUnits: %[3]d. " +
		"Refer to the Amazon DynamoDB Developer Guide for current limits and how to request higher limits."
	for _, test := range []struct {
		name    string
		table   func(*api.CreateTableInput)
		in      api.UpdateTableInput
		code    string
		message string
	}{
		{"nothing", nil, api.UpdateTableInput{GlobalSecondaryIndexUpdates: updates{}}, awserr.CodeValidation,
			"At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled, GlobalSecondaryIndexUpdates or SSESpecification or ReplicaUpdates is required"},
		{"no units", nil, api.UpdateTableInput{BillingMode: provisioned}, awserr.CodeValidation,
			invalidValues + "ProvisionedThroughput must be specified when BillingMode is PROVISIONED"},
		{"no index update", nil, api.UpdateTableInput{GlobalSecondaryIndexUpdates: updates{{}}}, awserr.CodeValidation, invalidValues +
			"One of GlobalSecondaryIndexUpdate.Update, GlobalSecondaryIndexUpdate.Create, GlobalSecondaryIndexUpdate.Delete must not be null"},
		{"two in one", nil, api.UpdateTableInput{GlobalSecondaryIndexUpdates: updates{{Create: creates(global("new", key(by("a")))).Create, Delete: deletes("glo").Delete}}},
			awserr.CodeValidation, invalidValues + "Only one of GlobalSecondaryIndexUpdate.Update, GlobalSecondaryIndexUpdate.Create, " +
				"GlobalSecondaryIndexUpdate.Delete may be specified"},
		{"one index twice", nil, api.UpdateTableInput{GlobalSecondaryIndexUpdates: updates{deletes("glo"), provisions("glo", units(1, 1))}},
			awserr.CodeValidation, invalidValues + "Only one global secondary index update per index is allowed simultaneously. Index: glo"},

		{"no table", nil, api.UpdateTableInput{TableName: "other", BillingMode: payPerRequest}, awserr.CodeResourceNotFound,
			"Requested resource not found: Table: other not found"},
		{"units on demand", nil, api.UpdateTableInput{ProvisionedThroughput: units(1, 1)}, awserr.CodeValidation,
			invalidValues + "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST"},
		{"units with on demand", onProvisioned, api.UpdateTableInput{BillingMode: payPerRequest, ProvisionedThroughput: units(1, 1)}, awserr.CodeValidation,
			invalidValues + "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST"},
		{"units as they are", onProvisioned, api.UpdateTableInput{BillingMode: provisioned, ProvisionedThroughput: units(5, 6)}, awserr.CodeValidation,
			fmt.Sprintf(same, "table", 5, 6)},
		{"units of an index as they are", onProvisioned, api.UpdateTableInput{GlobalSecondaryIndexUpdates: updates{provisions("glo", units(7, 8))}},
			awserr.CodeValidation, fmt.Sprintf(same, "index glo", 7, 8)},
		{"units missing for an index", nil, api.UpdateTableInput{BillingMode: provisioned, ProvisionedThroughput: units(1, 1)}, awserr.CodeValidation,
			invalidValues + "ProvisionedThroughput must be specified for index: glo"},
		{"nothing for an index", onProvisioned, api.UpdateTableInput{GlobalSecondaryIndexUpdates: updates{provisions("glo", nil)}}, awserr.CodeValidation,
			invalidValues + "ProvisionedThroughput, OnDemandThroughput or WarmThroughput must be specified for index: glo"},
		{"units for an index on demand", nil, api.UpdateTableInput{GlobalSecondaryIndexUpdates: updates{provisions("glo", units(1, 1))}},
			awserr.CodeValidation, invalidValues + "ProvisionedThroughput should not be specified for index: glo when BillingMode is PAY_PER_REQUEST"},
		{"units for no index", onProvisioned, api.UpdateTableInput{GlobalSecondaryIndexUpdates: updates{provisions("none", units(1, 1))}},
			awserr.CodeResourceNotFound, "Requested resource not found"},
		{"units for a local index", onProvisioned, api.UpdateTableInput{GlobalSecondaryIndexUpdates: updates{provisions("loc", units(1, 1))}},
			awserr.CodeValidation, invalidValues + "The index is not a global secondary index: loc"},

		{"two at once", nil, api.UpdateTableInput{GlobalSecondaryIndexUpdates: updates{deletes("glo"), creates(global("new", key(by("a"))))}},
			"LimitExceededException", "Subscriber limit exceeded: Only 1 online index can be created or deleted simultaneously per table"},
		{"delete no index", nil, api.UpdateTableInput{GlobalSecondaryIndexUpdates: updates{deletes("none")}}, awserr.CodeResourceNotFound,
			"Requested resource not found"},
		{"delete a local index", nil, api.UpdateTableInput{GlobalSecondaryIndexUpdates: updates{deletes("loc")}}, awserr.CodeValidation,
			invalidValues + "The index is not a global secondary index: loc"},
		{"create an index that is there", nil, api.UpdateTableInput{GlobalSecondaryIndexUpdates: updates{creates(global("glo", key(by("x"))))}},
			awserr.CodeValidation, "Attempting to create an index which already exists"},
		{"create a local index that is there", nil, api.UpdateTableInput{GlobalSecondaryIndexUpdates: updates{creates(global("loc", key(by("x"))))}},
			awserr.CodeValidation, "Attempting to create an index which already exists"},
		{"create without definition", nil, api.UpdateTableInput{GlobalSecondaryIndexUpdates: updates{creates(global("new", key(by("b"))))}},
			awserr.CodeValidation, invalidValues + "Some index key attributes are not defined in AttributeDefinitions. Keys: [b], AttributeDefinitions: []"},
		{"create with another type", nil, api.UpdateTableInput{
			AttributeDefinitions:        []api.AttributeDefinition{{AttributeName: "b", AttributeType: "N"}},
			GlobalSecondaryIndexUpdates: updates{creates(global("new", key(by("b"))))},
		}, awserr.CodeValidation, invalidValues + "Attributes cannot be redefined. Please check that your attribute has the same type as previously defined. " +
			"Existing schema: Schema:[SchemaElement: key{b:S}] New schema: Schema:[SchemaElement: key{b:N}]"},

		{"stream that is on", func(in *api.CreateTableInput) {
			in.StreamSpecification = &api.StreamSpecification{StreamEnabled: &yes, StreamViewType: "KEYS_ONLY"}
		}, api.UpdateTableInput{StreamSpecification: &api.StreamSpecification{StreamEnabled: &yes, StreamViewType: "NEW_IMAGE"}},
			awserr.CodeValidation, "Table already has an enabled stream: TableName: tab"},
		{"stream that is off", nil, api.UpdateTableInput{StreamSpecification: &api.StreamSpecification{StreamEnabled: &no}},
			awserr.CodeValidation, "Table has no stream to disable: TableName: tab"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			c := newTabCall(t, test.table)
			before := described(t, c)
			in := test.in
			if in.TableName == "" {
				in.TableName = "tab"
			}
			_, err := Update(c, &in)
			requireServiceError(t, err, test.code, test.message)
			require.Equal(t, before, described(t, c))
		})
	}
}

// TestUpdatesWithoutDelayAreComplete adds and deletes an index, and sets the clock back.
func TestUpdatesWithoutDelayAreComplete(t *testing.T) {
	t.Parallel()
	c := newTabCall(t, nil)
	_, err := Update(c, &api.UpdateTableInput{
		TableName: "tab", AttributeDefinitions: texts("x"), GlobalSecondaryIndexUpdates: updates{creates(global("new", key(by("x"))))},
	})
	require.NoError(t, err)
	out, err := Update(c, &api.UpdateTableInput{TableName: "tab", GlobalSecondaryIndexUpdates: updates{deletes("glo")}})
	require.NoError(t, err)
	require.Equal(t, []string{deleting, active}, indexStatuses(out.TableDescription))
	c.DB.Clock.Advance(-time.Hour)
	d := described(t, c)
	require.Equal(t, active, d.TableStatus)
	require.Equal(t, []string{active}, indexStatuses(d))
	require.Equal(t, "new", d.GlobalSecondaryIndexes[0].IndexName)
	require.NoError(t, readable(c, "new"))
}

// requireBusy checks that every change of the table is rejected.
func requireBusy(t *testing.T, c *engine.Call, message string) {
	t.Helper()
	_, err := Update(c, &api.UpdateTableInput{TableName: "tab", BillingMode: payPerRequest})
	requireServiceError(t, err, awserr.CodeResourceInUse, message)
	_, err = Delete(c, &api.TableInput{TableName: "tab"})
	requireServiceError(t, err, awserr.CodeResourceInUse, message)
	_, err = UpdateTimeToLive(c, ttl("ttl", true))
	requireServiceError(t, err, awserr.CodeResourceInUse, message)
}

// TestUpdateLimitsIndexes adds indexes up to the limit.
func TestUpdateLimitsIndexes(t *testing.T) {
	t.Parallel()
	c := newTabCall(t, nil)
	add := func(name string, names int) error {
		ix := global(name, key(by("a")))
		ix.Projection = &api.Projection{ProjectionType: "INCLUDE"}
		for i := range names {
			ix.Projection.NonKeyAttributes = append(ix.Projection.NonKeyAttributes, fmt.Sprint("attribute", i))
		}
		_, err := Update(c, &api.UpdateTableInput{TableName: "tab", AttributeDefinitions: texts("a"), GlobalSecondaryIndexUpdates: updates{creates(ix)}})
		return err
	}
	for i := range 5 {
		require.NoError(t, add(fmt.Sprint("wide", i), 16))
	}
	requireServiceError(t, add("wide", 21), awserr.CodeValidation, invalidValues+"Number of NonKeyAttributes of all indexes exceeds per-table limit of 100")
	for i := range 14 {
		require.NoError(t, add(fmt.Sprint("narrow", i), 1))
	}
	requireServiceError(t, add("last", 1), awserr.CodeValidation, invalidValues+"GlobalSecondaryIndex count exceeds the per-table limit of 20")
}

// TestDeletionProtection enables and disables the protection of a table against its deletion.
func TestDeletionProtection(t *testing.T) {
	t.Parallel()
	c := newTabCall(t, nil)
	update := func(protected bool) {
		out, err := Update(c, &api.UpdateTableInput{TableName: "tab", DeletionProtectionEnabled: &protected})
		require.NoError(t, err)
		require.Equal(t, updating, out.TableDescription.TableStatus)
		require.Equal(t, active, described(t, c).TableStatus)
		require.Equal(t, protected, *described(t, c).DeletionProtectionEnabled)
	}
	update(true)
	_, err := Delete(c, &api.TableInput{TableName: "tab"})
	requireServiceError(t, err, awserr.CodeValidation, "Resource cannot be deleted as it is currently protected against deletion. Disable deletion protection first.")
	update(false)
	_, err = Delete(c, &api.TableInput{TableName: "tab"})
	require.NoError(t, err)
}

// TestUpdateStreams enables, disables and enables a stream.
func TestUpdateStreams(t *testing.T) {
	t.Parallel()
	yes, no := true, false
	c := newTabCall(t, nil)
	update := func(spec *api.StreamSpecification) *api.TableDescription {
		_, err := Update(c, &api.UpdateTableInput{TableName: "tab", StreamSpecification: spec})
		require.NoError(t, err)
		return described(t, c)
	}
	spec := &api.StreamSpecification{StreamEnabled: &yes, StreamViewType: "NEW_IMAGE"}
	on := update(spec)
	require.Equal(t, spec, on.StreamSpecification)
	require.Equal(t, tabARN+"/stream/"+*on.LatestStreamLabel, *on.LatestStreamArn)
	off := update(&api.StreamSpecification{StreamEnabled: &no})
	require.Nil(t, off.StreamSpecification)
	require.Equal(t, on.LatestStreamArn, off.LatestStreamArn)
	require.NotEqual(t, *on.LatestStreamArn, *update(spec).LatestStreamArn)
}
