package table

import (
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest/internal/api"
	"github.com/trestledb/trestle/ddbtest/internal/awserr"
	"github.com/trestledb/trestle/ddbtest/internal/engine"
	"github.com/trestledb/trestle/ddbtest/internal/store"
	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// checkUsable returns an error if items cannot be read and written.
func checkUsable(c *engine.Call) error {
	return c.DB.View(func(s *store.State) error {
		_, err := s.Find("tab", c.Now())
		return err
	})
}

// TestTableStatus creates and deletes a table, without and with a delay.
func TestTableStatus(t *testing.T) {
	t.Parallel()
	for _, delay := range []time.Duration{0, time.Minute} {
		synctest.Test(t, func(t *testing.T) {
			c := newCall()
			c.Config.TableDelay = delay
			in := simple("tab")
			in.GlobalSecondaryIndexes = []api.GlobalSecondaryIndex{global("glo", key(by("b")))}
			out, err := Create(c, in)
			require.NoError(t, err)
			require.Equal(t, creating, out.TableDescription.TableStatus)
			require.Equal(t, []string{creating}, indexStatuses(out.TableDescription))
			require.Nil(t, out.TableDescription.GlobalSecondaryIndexes[0].Backfilling)
			if delay > 0 {
				require.Equal(t, creating, described(t, c).TableStatus)
				requireServiceError(t, checkUsable(c), awserr.CodeResourceNotFound, "Requested resource not found")
				requireBusy(t, c, "Attempt to change a resource which is still in use: Table is being created: tab")
			}
			c.DB.Clock.Advance(delay)
			require.Equal(t, active, described(t, c).TableStatus)
			require.Equal(t, []string{active}, indexStatuses(described(t, c)))
			require.NoError(t, checkUsable(c))

			out, err = Delete(c, &api.TableInput{TableName: "tab"})
			require.NoError(t, err)
			require.Equal(t, deleting, out.TableDescription.TableStatus)
			require.Nil(t, out.TableDescription.KeySchema)
			if delay > 0 {
				require.Equal(t, deleting, described(t, c).TableStatus)
				require.NoError(t, checkUsable(c), "until it is gone")
				requireBusy(t, c, "Attempt to change a resource which is still in use: Table is being deleted: tab")
				_, err = Create(c, in)
				requireServiceError(t, err, awserr.CodeResourceInUse, "Table already exists: tab")
			}
			c.DB.Clock.Advance(delay)
			requireServiceError(t, checkUsable(c), awserr.CodeResourceNotFound, "Requested resource not found")
			_, err = Delete(c, &api.TableInput{TableName: "tab"})
			requireServiceError(t, err, awserr.CodeResourceNotFound, "Requested resource not found: Table: tab not found")
			_, err = Create(c, in)
			require.NoError(t, err)
		})
	}
}

// TestDescribe checks every member of a description.
func TestDescribe(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		yes := true
		c := newTabCall(t, func(in *api.CreateTableInput) {
			onProvisioned(in)
			in.DeletionProtectionEnabled = &yes
			in.StreamSpecification = &api.StreamSpecification{StreamEnabled: &yes, StreamViewType: "KEYS_ONLY"}
			in.GlobalSecondaryIndexes[0].Projection = &api.Projection{ProjectionType: "INCLUDE", NonKeyAttributes: by("z", "y")}
		})
		put(c, "1", "z", value.String("12345"))
		d := described(t, c)
		require.Regexp(t, `^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`, d.TableId)
		d.TableId = ""
		now := api.Seconds(c.Now())
		label := c.Now().UTC().Format("2006-01-02T15:04:05.000")
		require.Equal(t, &api.TableDescription{
			AttributeDefinitions:      texts("a", "b"),
			TableName:                 "tab",
			KeySchema:                 key(by("a"), "b"),
			TableStatus:               active,
			CreationDateTime:          now,
			ProvisionedThroughput:     &api.ThroughputDescription{NumberOfDecreasesToday: api.Pointer(int64(0)), ReadCapacityUnits: api.Pointer(int64(5)), WriteCapacityUnits: api.Pointer(int64(6))},
			TableSizeBytes:            api.Pointer(int64(10)),
			ItemCount:                 api.Pointer(int64(1)),
			TableArn:                  tabARN,
			DeletionProtectionEnabled: &yes,
			WarmThroughput:            &api.WarmThroughputDescription{ReadUnitsPerSecond: api.Pointer(int64(5)), WriteUnitsPerSecond: api.Pointer(int64(6)), Status: active},
			StreamSpecification:       &api.StreamSpecification{StreamEnabled: &yes, StreamViewType: "KEYS_ONLY"},
			LatestStreamLabel:         &label,
			LatestStreamArn:           api.Pointer(tabARN + "/stream/" + label),
			LocalSecondaryIndexes: []api.IndexDescription{{
				IndexName: "loc", KeySchema: key(by("a"), "b"), Projection: all, IndexSizeBytes: api.Pointer(int64(10)), ItemCount: api.Pointer(int64(1)),
				IndexArn: tabARN + "/index/loc",
			}},
			GlobalSecondaryIndexes: []api.IndexDescription{{
				IndexName: "glo", KeySchema: key(by("b")), Projection: &api.Projection{ProjectionType: "INCLUDE", NonKeyAttributes: by("z", "y")},
				IndexStatus: active, IndexSizeBytes: api.Pointer(int64(10)), ItemCount: api.Pointer(int64(1)), IndexArn: tabARN + "/index/glo",
				ProvisionedThroughput: &api.ThroughputDescription{NumberOfDecreasesToday: api.Pointer(int64(0)), ReadCapacityUnits: api.Pointer(int64(7)), WriteCapacityUnits: api.Pointer(int64(8))},
				WarmThroughput:        &api.WarmThroughputDescription{ReadUnitsPerSecond: api.Pointer(int64(7)), WriteUnitsPerSecond: api.Pointer(int64(8)), Status: active},
			}},
		}, d)
	})
}

// TestIDsAreDeterministic creates the same tables twice.
func TestIDsAreDeterministic(t *testing.T) {
	t.Parallel()
	ids := func() (ids []string) {
		c := newCall()
		for i := range 3 {
			out, err := Create(c, simple(fmt.Sprint("tab", i)))
			require.NoError(t, err)
			ids = append(ids, out.TableDescription.TableId)
		}
		return ids
	}
	first := ids()
	require.Equal(t, first, ids())
	require.Len(t, slices.Compact(slices.Sorted(slices.Values(first))), 3)
}

// TestList lists tables page by page, with any limit.
func TestList(t *testing.T) {
	t.Parallel()
	c := newCall()
	var names []string
	for i := range 120 {
		name := fmt.Sprintf("t.%d", (i*37)%120)
		names = append(names, name)
		_, err := Create(c, simple(name))
		require.NoError(t, err)
	}
	slices.Sort(names)
	for _, limit := range []*int64{nil, api.Pointer(int64(1)), api.Pointer(int64(7)), api.Pointer(int64(60)), api.Pointer(int64(100))} {
		var listed []string
		var start *string
		for {
			out, err := List(c, &api.ListTablesInput{Limit: limit, ExclusiveStartTableName: start})
			require.NoError(t, err)
			listed = append(listed, out.TableNames...)
			if start = out.LastEvaluatedTableName; start == nil {
				break
			}
			require.Equal(t, *start, listed[len(listed)-1])
			if limit != nil {
				require.Len(t, out.TableNames, int(*limit))
			}
		}
		require.Equal(t, names, listed)
	}
	out, err := List(c, &api.ListTablesInput{ExclusiveStartTableName: api.Pointer("t.99z")})
	require.NoError(t, err)
	require.Equal(t, &api.ListTablesOutput{TableNames: []string{}}, out)
}
