package ddbtest_test

import (
	"encoding/json"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest"
)

// setupStream starts a database with a table of things that has a stream.
func setupStream(t *testing.T, view types.StreamViewType) *ddbtest.DB {
	t.Helper()
	db := ddbtest.Start(t)
	in := thingsTable()
	in.StreamSpecification = &types.StreamSpecification{StreamEnabled: aws.Bool(true), StreamViewType: view}
	db.CreateTable(t, in)
	return db
}

// change inserts, updates and deletes a thing.
func change(t *testing.T, db *ddbtest.DB) {
	t.Helper()
	require.NoError(t, put(t.Context(), db.Client()))
	require.NoError(t, increment(t.Context(), db.Client()))
	_, err := db.Client().DeleteItem(t.Context(), &dynamodb.DeleteItemInput{TableName: aws.String(things), Key: thing("a", 1)})
	require.NoError(t, err)
}

// TestRecords compares the records with those of GetRecords, for each view type.
func TestRecords(t *testing.T) {
	t.Parallel()
	for _, view := range types.StreamViewType("").Values() {
		t.Run(string(view), func(t *testing.T) {
			t.Parallel()
			db := setupStream(t, view)
			change(t, db)
			c := callerOf(t, db, nil)
			page, err := c.streams.GetRecords(t.Context(), &dynamodbstreams.GetRecordsInput{ShardIterator: c.iterator})
			require.NoError(t, err)
			records := db.Records(things)
			require.Len(t, records, len(page.Records))
			for i, want := range page.Records {
				got := records[i]
				require.Equal(t, ddbtest.Record{
					Event: string(want.EventName), ID: *want.EventID, Sequence: *want.Dynamodb.SequenceNumber, At: got.At,
					Size: *want.Dynamodb.SizeBytes, View: string(view), Stream: *c.streamARN,
					Keys: got.Keys, Old: got.Old, New: got.New,
				}, got)
				require.True(t, want.Dynamodb.ApproximateCreationDateTime.Equal(got.At))
				require.Equal(t, thing("a", 1), got.Keys)
				require.Len(t, got.Old, len(want.Dynamodb.OldImage))
				require.Len(t, got.New, len(want.Dynamodb.NewImage))
				require.Equal(t, want.Dynamodb.OldImage == nil, got.Old == nil)
				require.Equal(t, want.Dynamodb.NewImage == nil, got.New == nil)
			}
		})
	}
}

// TestRecordsJSON checks that the text is the same in every run.
func TestRecordsJSON(t *testing.T) {
	t.Parallel()
	text := func() string {
		db := setupStream(t, types.StreamViewTypeNewAndOldImages)
		change(t, db)
		return db.Records(things).JSON()
	}
	first, second := text(), text()
	require.Equal(t, first, second)
	golden(t, "records.txt", first)
	require.Equal(t, "[]\n", ddbtest.Records(nil).JSON())
}

// TestRecordsOfClosedStreams disables and enables a stream, and deletes the table. The records
// remain for 24 hours, like those of a stream that is open.
func TestRecordsOfClosedStreams(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		db := setupStream(t, types.StreamViewTypeKeysOnly)
		change(t, db)
		for _, enabled := range []bool{false, true} {
			spec := &types.StreamSpecification{StreamEnabled: aws.Bool(enabled)}
			if enabled {
				spec.StreamViewType = types.StreamViewTypeNewImage
			}
			_, err := db.Client().UpdateTable(t.Context(), &dynamodb.UpdateTableInput{TableName: aws.String(things), StreamSpecification: spec})
			require.NoError(t, err)
			require.Len(t, db.Records(things), 3)
			<-time.After(time.Hour)
		}
		change(t, db)
		requireDeleted(t, db, things)
		records := db.Records(things)
		require.Len(t, records, 6)
		require.NotEqual(t, records[2].Stream, records[3].Stream)
		require.Equal(t, []string{"KEYS_ONLY", "NEW_IMAGE"}, []string{records[2].View, records[3].View})
		db.Advance(23*time.Hour - time.Minute)
		require.Len(t, db.Records(things), 3, "the older stream is gone")
	})
}

// TestExpiredRecords checks that the deletion of an expired item is marked.
func TestExpiredRecords(t *testing.T) {
	t.Parallel()
	db := setupStream(t, types.StreamViewTypeNewAndOldImages)
	expireBy(t, db)
	db.Load(t, things, thing("a", 1, attributes{"until": number(int(db.Now().Add(time.Hour).Unix()))}))
	db.Advance(2 * time.Hour)
	records := db.Records(things)
	require.Len(t, records, 2)
	require.Equal(t, []bool{false, true}, []bool{records[0].Expired, records[1].Expired})
	require.Contains(t, records[1:].JSON(), "\"event\": \"REMOVE\"")
	require.Contains(t, records[1:].JSON(), "\"expired\": true")
	require.Contains(t, string(records[1:].LambdaEvent()), `"principalId": "dynamodb.amazonaws.com"`)
	require.NotContains(t, string(records[:1].LambdaEvent()), "userIdentity")
}

// TestMissingRecords checks that a table without a stream fails the test, because no records would
// look like no changes.
func TestMissingRecords(t *testing.T) {
	t.Parallel()
	db, test := startFake()
	require.Nil(t, db.Records(things))
	failsOnce(t, test, "Records", `"things" has no stream`, "StreamSpecification")
	db, test = startFake()
	require.Nil(t, db.Records("thing"))
	failsOnce(t, test, "Records", `did you mean "things"?`)
	empty := setupStream(t, types.StreamViewTypeKeysOnly).Records(things)
	require.Empty(t, empty)
	require.NotNil(t, empty, "an empty stream exists")
}

// TestLambdaEvent compares an event with a golden file. The module internal/lambdatest checks that
// aws-lambda-go decodes such events.
func TestLambdaEvent(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		db := setupStream(t, types.StreamViewTypeNewAndOldImages)
		change(t, db)
		golden(t, "lambdaevent.json", string(db.Records(things).LambdaEvent()))
	})
	for _, records := range []ddbtest.Records{nil, {{}}, {{Event: "INSERT", New: thing("a", 1)}}} {
		require.True(t, json.Valid(records.LambdaEvent()))
	}
}
