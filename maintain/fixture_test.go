package maintain_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/maintain"
)

type avMap = map[string]types.AttributeValue

func avS(s string) types.AttributeValue { return &types.AttributeValueMemberS{Value: s} }
func avN(n string) types.AttributeValue { return &types.AttributeValueMemberN{Value: n} }

func textOf(av types.AttributeValue) string {
	s, _ := av.(*types.AttributeValueMemberS)
	if s == nil {
		return ""
	}
	return s.Value
}

// clock is the clock of a schema. Tests advance it.
type clock struct{ seconds atomic.Int64 }

var epoch = time.Date(2026, 8, 1, 12, 0, 0, 0, time.UTC)

func (c *clock) now() time.Time { return epoch.Add(time.Duration(c.seconds.Load()) * time.Second) }

// open creates and checks the table of a schema on an engine.
func open(t *testing.T, e engines.Engine, s *entity.Schema) (*dynamodb.Client, *entity.Table) {
	t.Helper()
	client := e.Client(t)
	table, err := s.Open(client, "things")
	require.NoError(t, err)
	require.NoError(t, table.Create(t.Context()))
	require.NoError(t, maintain.Check(t.Context(), table))
	return client, table
}

// stored returns the stored item, or nil.
func stored(t testing.TB, client *dynamodb.Client, table string, key avMap) avMap {
	t.Helper()
	out, err := client.GetItem(context.WithoutCancel(t.Context()), &dynamodb.GetItemInput{TableName: &table, Key: key, ConsistentRead: aws.Bool(true)})
	require.NoError(t, err)
	return out.Item
}

// requireOutcome requires that an error wraps a sentinel error and has an outcome.
func requireOutcome(t testing.TB, err, kind error, outcome trestle.Outcome) {
	t.Helper()
	var e *trestle.OpError
	require.ErrorIs(t, err, kind)
	require.ErrorAs(t, err, &e)
	require.Equal(t, outcome, trestle.OutcomeOf(err))
}
