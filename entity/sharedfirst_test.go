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
)

type bug struct {
	_       entity.Key   `type:"bug" pk:"TICKET#<id>" sk:"TICKET#<id>" shared:"yes"`
	_       entity.Index `name:"by-state" on:"GSI1" pk:"STATE#<state>" sk:"RANK#<rank:06>"`
	ID      string       `dynamodbav:"id"`
	State   string       `dynamodbav:"state"`
	Rank    int          `dynamodbav:"rank"`
	Version int64        `dynamodbav:"version" entity:"version"`
}

type idea struct {
	_       entity.Key `type:"idea" pk:"TICKET#<id>" sk:"TICKET#<id>" shared:"yes"`
	ID      string     `dynamodbav:"id"`
	State   []string   `dynamodbav:"state"`
	Rank    string     `dynamodbav:"rank"`
	Version string     `dynamodbav:"version"`
}

// If types share their keys, a write with ReadFirst plans from an item of its own type or from
// none. For an item of another type, registered or not, it fails like a write without ReadFirst.
func TestReadFirstChecksTheType(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		ctx := t.Context()
		s := entity.NewSchema(entity.Config{Indexes: []entity.IndexConfig{{Name: "GSI1"}}})
		bugs, ideas := entity.Define[bug](s), entity.Define[idea](s)
		rank := attr.Must(func(b *bug) *int { return &b.Rank })
		client, table := open(t, e, s)
		require.NoError(t, ideas.In(table).Create(ctx, &idea{ID: "w", State: []string{"new"}, Rank: "high", Version: "one"}))
		_, err := client.PutItem(ctx, &dynamodb.PutItemInput{TableName: aws.String("things"), Item: map[string]types.AttributeValue{
			"PK": avS("TICKET#x"), "SK": avS("TICKET#x"), "_type": avS("nobody's"), "state": avN("1"), "version": avS("one"),
		}})
		require.NoError(t, err)

		repo := bugs.In(table).With(entity.ReadFirst())
		for _, id := range []string{"w", "x"} {
			key := map[string]types.AttributeValue{"PK": avS("TICKET#" + id), "SK": avS("TICKET#" + id)}
			before := stored(t, client, "things", key)
			_, err = repo.Update(ctx, bug{ID: id}, attr.Add(rank, 1))
			requireOutcome(t, err, trestle.ErrNotFound, trestle.NotApplied)
			_, err = repo.Upsert(ctx, bug{ID: id}, attr.Add(rank, 1))
			requireOutcome(t, err, trestle.ErrExists, trestle.NotApplied)
			requireOutcome(t, repo.Overwrite(ctx, &bug{ID: id}), trestle.ErrExists, trestle.NotApplied)
			require.Equal(t, before, stored(t, client, "things", key))
		}
		require.NoError(t, repo.Create(ctx, &bug{ID: "b", State: "new", Rank: 1}))
		got, err := repo.Update(ctx, bug{ID: "b"}, attr.Add(rank, 1))
		require.NoError(t, err)
		require.Equal(t, 2, got.Rank)
	})
}
