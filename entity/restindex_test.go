package entity_test

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/internal/testchecks"
	"github.com/trestledb/trestle/maintain"
)

// errand has a field that is the key of an index.
type errand struct {
	_      entity.Key   `type:"errand" pk:"E#<id>" sk:"E"`
	_      entity.Index `name:"by-status" on:"STATUS" sk:"<id>"`
	_      entity.Index `name:"by-owner" on:"GSI1" pk:"OWNER#<owner>" sk:"<id>"`
	ID     string       `dynamodbav:"id"`
	Owner  string       `dynamodbav:"owner"`
	Status string       `dynamodbav:"status"`
}

// memo is in no index, and keeps the attributes of other programs.
type memo struct {
	_    entity.Key                      `type:"memo" pk:"M#<id>" sk:"M"`
	ID   string                          `dynamodbav:"id"`
	Text string                          `dynamodbav:"text"`
	Rest map[string]types.AttributeValue `dynamodbav:"-rest" entity:"rest"`
}

// slip is in no index, and keeps no attributes.
type slip struct {
	_  entity.Key `type:"slip" pk:"S#<id>" sk:"S"`
	ID string     `dynamodbav:"id"`
}

var (
	memoText = attr.Must(func(m *memo) *string { return &m.Text })
	memoRest = attr.Must(func(m *memo) *map[string]types.AttributeValue { return &m.Rest })
)

// An attribute that is a field of one type and a key attribute of an index belongs to the user in
// items of another type: reads, puts, updates and Reindex keep it. A rendered key of an index that
// the type is in no more belongs to the library: it is not in the rest, and Reindex removes it.
func TestRestKeepsFieldsThatAreIndexKeys(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		ctx, client := t.Context(), e.Client(t)
		s := entity.NewSchema(entity.Config{Indexes: []entity.IndexConfig{
			{Name: "STATUS", Partition: []entity.Attribute{entity.S("status")}}, {Name: "GSI1"}, {Name: "GSI2"},
		}})
		errands, memos, slips := entity.Define[errand](s), entity.Define[memo](s), entity.Define[slip](s)
		table, err := s.Open(client, "things")
		require.NoError(t, err)
		require.NoError(t, table.Create(ctx))
		stored := func(key avMap) avMap {
			out, err := client.GetItem(ctx, &dynamodb.GetItemInput{TableName: aws.String("things"), Key: key, ConsistentRead: aws.Bool(true)})
			require.NoError(t, err)
			return out.Item
		}
		key := avMap{"PK": avS("M#1"), "SK": avS("M")}
		other := avMap{"status": avS("draft"), "color": avS("red")}
		stale := avMap{"GSI1PK": avS("OWNER#ann"), "GSI1SK": avS("1"), "GSI2PK": avS("x"), "GSI2SK": avS("y")}
		put := func(kind string, key avMap) {
			item := avMap{"_type": avS(kind), "id": avS("1"), "text": avS("t")}
			for _, part := range []avMap{key, other, stale} {
				for name, av := range part {
					item[name] = av
				}
			}
			_, err := client.PutItem(ctx, &dynamodb.PutItemInput{TableName: aws.String("things"), Item: item})
			require.NoError(t, err)
		}
		requireKept := func() {
			t.Helper()
			item := stored(key)
			for name, av := range other {
				require.Equal(t, av, item[name])
			}
		}
		requireNotStale := func(item avMap) {
			t.Helper()
			for name := range stale {
				require.NotContains(t, item, name)
			}
		}

		put("memo", key)
		m, err := memos.In(table).Get(ctx, memo{ID: "1"})
		require.NoError(t, err)
		require.Equal(t, other, m.Rest)
		require.NoError(t, memos.In(table).Put(ctx, &m))
		requireKept()
		requireNotStale(stored(key))

		put("memo", key)
		_, err = memos.In(table).Update(ctx, m, memoText.Set("x"), attr.Key(memoRest, "status").Set(avS("draft")))
		require.NoError(t, err)
		for _, changes := range []int{1, 0} {
			report, err := maintain.Reindex(ctx, table, maintain.Run{}, memos)
			require.NoError(t, err)
			require.Equal(t, changes, report.Updated)
			requireKept()
			requireNotStale(stored(key))
		}
		require.NoError(t, testchecks.Items(ctx, table, 100))
		_, err = memos.In(table).Update(ctx, m, attr.Key(memoRest, "GSI1PK").Set(avS("x")))
		requireOutcome(t, err, trestle.ErrInvalid, trestle.NotApplied)

		slipKey := avMap{"PK": avS("S#1"), "SK": avS("S")}
		put("slip", slipKey)
		report, err := maintain.Reindex(ctx, table, maintain.Run{}, slips)
		require.NoError(t, err)
		require.Equal(t, 1, report.Updated)
		require.Equal(t, avS("draft"), stored(slipKey)["status"])
		requireNotStale(stored(slipKey))

		require.NoError(t, errands.In(table).Create(ctx, &errand{ID: "1", Owner: "ann", Status: "open"}))
		report, err = maintain.Reindex(ctx, table, maintain.Run{}, errands)
		require.NoError(t, err)
		require.Zero(t, report.Updated)
	})
}
