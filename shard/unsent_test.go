package shard_test

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/shard"
)

// resident is an item of a tenant.
type resident struct {
	_   entity.Key `type:"resident" pk:"ORG#<org>" sk:"R#<id>"`
	Org string     `dynamodbav:"org" entity:"tenant"`
	ID  string     `dynamodbav:"id"`
}

// The reply to each request of an Add is lost, one after the other. Before the increment is sent,
// nothing is added, and the error says what to do.
func TestRequestBeforeTheIncrementIsLost(t *testing.T) {
	t.Parallel()
	unsent, lost := 0, 0
	for n := 1; ; n++ {
		db := ddbtest.Start(t)
		schema := entity.NewSchema(entity.Config{})
		entity.Define[resident](schema)
		table, err := schema.Open(db.Client(func(o *dynamodb.Options) { o.Retryer = aws.NopRetryer{} }), tableName)
		require.NoError(t, err)
		require.NoError(t, table.Create(t.Context()))
		counters := shard.NewCounters(table.Tenant("acme"), "votes", shard.Config{Mode: shard.Approximate, Listed: true})
		rule := db.Fail(ddbtest.AfterCommit(ddbtest.Reset), ddbtest.Nth(n))
		err = counters.Add(t.Context(), "a", 1)
		rule.Remove()
		if rule.Hits() == 0 {
			require.NoError(t, err)
			break
		}
		var e *trestle.OpError
		require.ErrorAs(t, err, &e)
		total, err := counters.Total(t.Context(), "a")
		require.NoError(t, err)
		if total > 0 {
			lost++
			require.ErrorIs(t, e, trestle.ErrUnknown)
			continue
		}
		unsent++
		require.Equal(t, trestle.NotApplied, e.Outcome)
		require.NotEmpty(t, e.Hint)
		require.NotErrorIs(t, e, trestle.ErrUnknown)
	}
	require.Equal(t, 1, lost)
	require.Equal(t, 3, unsent, "the list of names, the read and the update of the total item")
}
