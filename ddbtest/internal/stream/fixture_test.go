package stream

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest/internal/api"
	"github.com/trestledb/trestle/ddbtest/internal/awserr"
	"github.com/trestledb/trestle/ddbtest/internal/clock"
	"github.com/trestledb/trestle/ddbtest/internal/decimal"
	"github.com/trestledb/trestle/ddbtest/internal/engine"
	"github.com/trestledb/trestle/ddbtest/internal/store"
	"github.com/trestledb/trestle/ddbtest/internal/table"
	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// open returns a call on a database with a table of that name. Its key is Id, and its stream has
// the view type.
func open(t *testing.T, name, view string) *engine.Call {
	t.Helper()
	c := &engine.Call{DB: store.NewDB(&clock.Clock{}), Config: &engine.Config{Region: "us-east-1", Account: "123456789012"}}
	create(t, c, name, view)
	return c
}

func create(t *testing.T, c *engine.Call, name, view string) {
	t.Helper()
	in := &api.CreateTableInput{
		TableName:            name,
		AttributeDefinitions: []api.AttributeDefinition{{AttributeName: "Id", AttributeType: "N"}},
		KeySchema:            []api.KeySchemaElement{{AttributeName: "Id", KeyType: "HASH"}},
		BillingMode:          "PAY_PER_REQUEST",
	}
	if view != "" {
		in.StreamSpecification = &api.StreamSpecification{StreamEnabled: api.Pointer(true), StreamViewType: view}
	}
	_, err := table.Create(c, in)
	require.NoError(t, err)
}

// id returns the key of an item of the table.
func id(n int64) value.Map {
	return value.Map{{Name: "Id", Value: value.Number{Decimal: decimal.FromInt(n)}}}
}

func message(n int64, text string) value.Map { return id(n).With("Message", value.String(text)) }

func put(c *engine.Call, table string, item value.Map) {
	_ = c.DB.Update(func(s *store.State) error {
		s.Put(s.Tables[table], item)
		return nil
	})
}

func remove(c *engine.Call, table string, key value.Map) {
	_ = c.DB.Update(func(s *store.State) error {
		s.Delete(s.Tables[table], key)
		return nil
	})
}

// latest describes the stream of the table.
func latest(t *testing.T, c *engine.Call, name string) *api.StreamDescription {
	t.Helper()
	arn := ""
	_ = c.DB.View(func(s *store.State) error {
		arn = s.Tables[name].StreamARN
		return nil
	})
	out, err := Describe(c, &api.DescribeStreamInput{StreamArn: arn})
	require.NoError(t, err)
	return out.StreamDescription
}

// at returns an iterator of the shard.
func at(c *engine.Call, arn, shard, kind string, number *string) (string, error) {
	out, err := GetShardIterator(c, &api.GetShardIteratorInput{StreamArn: arn, ShardId: shard, ShardIteratorType: kind, SequenceNumber: number})
	if err != nil {
		return "", err
	}
	return out.ShardIterator, nil
}

// records reads a page.
func records(t *testing.T, c *engine.Call, iterator string) *api.GetRecordsOutput {
	t.Helper()
	out, err := GetRecords(c, &api.GetRecordsInput{ShardIterator: iterator})
	require.NoError(t, err)
	return out
}

// horizon reads the oldest records of the oldest shard of the table.
func horizon(t *testing.T, c *engine.Call, name string) []api.Record {
	t.Helper()
	d := latest(t, c, name)
	it, err := at(c, d.StreamArn, d.Shards[0].ShardId, "TRIM_HORIZON", nil)
	require.NoError(t, err)
	return records(t, c, it).Records
}

// requireServiceError checks the code and the message of an error.
func requireServiceError(t *testing.T, err error, code, message string) {
	t.Helper()
	var refusal *awserr.Error
	require.ErrorAs(t, err, &refusal)
	require.Equal(t, code, refusal.Code)
	require.Equal(t, message, refusal.Message)
}
