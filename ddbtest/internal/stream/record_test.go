package stream

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest/internal/api"
	"github.com/trestledb/trestle/ddbtest/internal/decimal"
	"github.com/trestledb/trestle/ddbtest/internal/store"
	"github.com/trestledb/trestle/ddbtest/internal/table"
	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// TestViews inserts, modifies and removes an item, and checks the records of each view type. The
// sizes are those of the developer guide's example.
func TestViews(t *testing.T) {
	t.Parallel()
	first, second := message(101, "New item!"), message(101, "This item has changed")
	type images struct {
		name, event string
		old, new    value.Map
		size        int64
	}
	for view, want := range map[string][]images{
		"KEYS_ONLY":          {{"i", "INSERT", nil, nil, 5}, {"m", "MODIFY", nil, nil, 5}, {"r", "REMOVE", nil, nil, 5}},
		"NEW_IMAGE":          {{"i", "INSERT", nil, first, 26}, {"m", "MODIFY", nil, second, 38}, {"r", "REMOVE", nil, nil, 5}},
		"OLD_IMAGE":          {{"i", "INSERT", nil, nil, 5}, {"m", "MODIFY", first, nil, 26}, {"r", "REMOVE", second, nil, 38}},
		"NEW_AND_OLD_IMAGES": {{"i", "INSERT", nil, first, 26}, {"m", "MODIFY", first, second, 59}, {"r", "REMOVE", second, nil, 38}},
	} {
		c := open(t, "viewed", view)
		put(c, "viewed", first)
		put(c, "viewed", first) // no change
		put(c, "viewed", second)
		remove(c, "viewed", id(101))
		remove(c, "viewed", id(101)) // no change
		got := horizon(t, c, "viewed")
		require.Len(t, got, 3, view)
		for i, r := range got {
			require.Equal(t, want[i].event, r.EventName, view)
			require.Equal(t, id(101), r.Dynamodb.Keys)
			require.Equal(t, want[i].new, r.Dynamodb.NewImage, view)
			require.Equal(t, want[i].old, r.Dynamodb.OldImage, view)
			require.Equal(t, want[i].size, r.Dynamodb.SizeBytes, view)
			require.Equal(t, view, r.Dynamodb.StreamViewType)
		}
	}
}

// TestRecordMembers checks the members of a record besides its images.
func TestRecordMembers(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 5, 1, 12, 0, 0, 987e6, time.UTC)
	st := &store.Stream{ARN: "arn", View: "KEYS_ONLY", Key: store.KeySchema{Partition: []store.KeyAttribute{{Name: "Id", Kind: value.KindNumber}}}}
	change := store.Change{Sequence: 42, At: at, New: message(1, "x")}
	r := newRecord(st, change, "eu-north-1")
	require.Regexp(t, "^[0-9a-f]{32}$", r.EventID)
	require.Equal(t, r, newRecord(st, change, "eu-north-1"), "each time that it is read")
	change.Sequence++
	require.NotEqual(t, r.EventID, newRecord(st, change, "eu-north-1").EventID)
	r.EventID = ""
	require.Equal(t, api.Record{
		AwsRegion: "eu-north-1", EventName: "INSERT", EventSource: "aws:dynamodb", EventVersion: "1.1",
		Dynamodb: api.StreamRecord{
			ApproximateCreationDateTime: api.Pointer(float64(at.Unix())), Keys: id(1), SequenceNumber: "000000000000000000042", SizeBytes: 4,
			StreamViewType: "KEYS_ONLY",
		},
	}, r)
}

// TestIdentityOfExpiredItems checks the record of an expired item.
func TestIdentityOfExpiredItems(t *testing.T) {
	t.Parallel()
	c := open(t, "expiring", "OLD_IMAGE")
	_, err := table.UpdateTimeToLive(c, &api.UpdateTimeToLiveInput{
		TableName: "expiring", TimeToLiveSpecification: &api.TimeToLiveSpecification{AttributeName: "ttl", Enabled: api.Pointer(true)},
	})
	require.NoError(t, err)
	item := id(1).With("ttl", value.Number{Decimal: decimal.FromInt(c.Now().Unix() + 60)})
	put(c, "expiring", item)
	put(c, "expiring", id(2))
	remove(c, "expiring", id(2))
	c.DB.Clock.Advance(time.Hour)

	got := horizon(t, c, "expiring")
	require.Len(t, got, 4)
	for _, r := range got[:3] {
		require.Nil(t, r.UserIdentity)
	}
	require.Equal(t, "REMOVE", got[3].EventName)
	require.Equal(t, item, got[3].Dynamodb.OldImage)
	require.Equal(t, &api.Identity{PrincipalId: "dynamodb.amazonaws.com", Type: "Service"}, got[3].UserIdentity)
}
