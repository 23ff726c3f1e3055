package entity_test

import (
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/query"
	"github.com/trestledb/trestle/tx"
)

type (
	chore struct {
		_     entity.Key   `type:"chore" pk:"T#<id>" sk:"T"`
		_     entity.Index `name:"by-owner" on:"ByOwner"`
		ID    string       `dynamodbav:"id"`
		Owner *string      `dynamodbav:"owner"`
	}
	topic struct {
		_       entity.Key `type:"topic" pk:"P#<id>" sk:"P"`
		ID      string     `dynamodbav:"id"`
		Title   *string    `dynamodbav:"title"`
		Replies int        `dynamodbav:"replies"`
		Version int64      `dynamodbav:"version" entity:"version"`
		Expires *time.Time `dynamodbav:"ttl,unixtime" entity:"ttl"`
	}
	answer struct {
		_     entity.Key     `type:"answer" pk:"P#<topic>" sk:"R#<id>"`
		_     entity.Counted `in:"topic" as:"replies" pk:"P#<topic>" sk:"P"`
		Topic string         `dynamodbav:"topic"`
		ID    string         `dynamodbav:"id"`
	}
)

// An attribute that is itself the key of an index can be absent, and nil names that state.
func TestNilOfAnAttributeThatIsAnIndexKey(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		s := entity.NewSchema(entity.Config{Indexes: []entity.IndexConfig{
			{Name: "ByOwner", Partition: []entity.Attribute{entity.S("owner")}, NoSort: true},
		}})
		chores := entity.Define[chore](s)
		table, err := s.Open(e.Client(t), "table")
		require.NoError(t, err)
		require.NoError(t, table.Create(t.Context()))
		repo := chores.In(table)
		require.NoError(t, repo.Put(t.Context(), &chore{ID: "1"}))
		owner := attr.Must(func(e *chore) **string { return &e.Owner })
		for name, c := range map[string]attr.Cond[chore]{
			"Eq": owner.Eq(nil), "In": owner.In(nil), "not Ne": attr.Not[chore](owner.Ne(nil)), "not exists": owner.NotExists(),
		} {
			list, err := query.Of(repo, chore{ID: "1"}).Filter(c).Collect(t.Context())
			require.NoError(t, err, name)
			require.Len(t, list, 1, name)
			require.NoError(t, repo.Put(t.Context(), &chore{ID: "2"}))
			require.NoError(t, repo.Delete(t.Context(), chore{ID: "2"}, c), name)
		}
	})
}

// A version, a count and a time to live that hold NULL count as absent.
func TestNullsOfRoles(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		s := entity.NewSchema(entity.Config{TTL: "ttl"})
		topics, answers := entity.Define[topic](s), entity.Define[answer](s)
		client := e.Client(t)
		table, err := s.Open(client, "table")
		require.NoError(t, err)
		require.NoError(t, table.Create(t.Context()))
		store := func(id string, nulls ...string) {
			item, err := topics.Encode(&topic{ID: id})
			require.NoError(t, err)
			for _, name := range nulls {
				item[name] = &types.AttributeValueMemberNULL{Value: true}
			}
			_, err = client.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: aws.String("table"), Item: item})
			require.NoError(t, err)
		}
		stored := func(id string) topic {
			got, err := topics.In(table).Get(t.Context(), topic{ID: id})
			require.NoError(t, err)
			return got
		}
		store("1", "version", "replies", "ttl", "title")
		require.NoError(t, table.CheckCounts(t.Context()))
		require.NoError(t, table.CheckItems(t.Context(), 10))

		title := attr.Must(func(t *topic) **string { return &t.Title })
		require.NoError(t, tx.Write(t.Context(), answers.In(table).Op().Create(&answer{Topic: "1", ID: "a"}),
			topics.In(table).Op().Check(topic{ID: "1"}, title.NotExists())))
		require.Equal(t, topic{ID: "1", Replies: 1, Version: 1}, stored("1"))

		store("2", "version", "replies")
		item, err := answers.Encode(&answer{Topic: "2", ID: "a"})
		require.NoError(t, err)
		_, err = client.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: aws.String("table"), Item: item})
		require.NoError(t, err)
		_, err = table.RepairCounts(t.Context())
		require.NoError(t, err)
		require.Equal(t, topic{ID: "2", Replies: 1, Version: 1}, stored("2"))

		store("3", "replies")
		require.NoError(t, answers.In(table).Create(t.Context(), &answer{Topic: "3", ID: "a"}))
		require.Equal(t, 1, stored("3").Replies)

		// The NULL of one operation is no reason for the failure of another one.
		store("4", "replies")
		err = tx.Write(t.Context(), answers.In(table).Op().Create(&answer{Topic: "4", ID: "a"}),
			topics.In(table).Op().Create(&topic{ID: "3"}))
		var canceled *trestle.CanceledError
		require.ErrorAs(t, err, &canceled)
		require.Len(t, canceled.Failures, 1)
		require.Equal(t, 1, canceled.Failures[0].Operation)
	})
}
