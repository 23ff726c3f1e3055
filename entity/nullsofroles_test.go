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
	"github.com/trestledb/trestle/internal/testchecks"
	"github.com/trestledb/trestle/maintain"
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
	// formattedChore has index keys with a format.
	formattedChore struct {
		_     entity.Key   `type:"chore" pk:"T#<id>" sk:"T"`
		_     entity.Index `name:"by-owner" on:"ByOwner" pk:"<owner:lower>"`
		_     entity.Index `name:"by-hash" on:"ByHash" pk:"<hash:hex>" sk:"<day:day>"`
		ID    string       `dynamodbav:"id"`
		Owner *string      `dynamodbav:"owner"`
		Hash  []byte       `dynamodbav:"hash"`
		Day   *time.Time   `dynamodbav:"day"`
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

// A format of an index key changes nothing about nil: it names the absent attribute in all
// operators that accept nil.
func TestNilOfAFormattedIndexKey(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		s := entity.NewSchema(entity.Config{Indexes: []entity.IndexConfig{
			{Name: "ByOwner", Partition: []entity.Attribute{entity.S("owner")}, NoSort: true},
			{Name: "ByHash", Partition: []entity.Attribute{entity.S("hash")}, Sort: []entity.Attribute{entity.S("day")}},
		}})
		formattedChores := entity.Define[formattedChore](s)
		table, err := s.Open(e.Client(t), "table")
		require.NoError(t, err)
		require.NoError(t, table.Create(t.Context()))
		repo := formattedChores.In(table)
		day := time.Date(2026, 8, 1, 0, 0, 0, 0, time.UTC)
		require.NoError(t, repo.Put(t.Context(), &formattedChore{ID: "1"}))
		require.NoError(t, repo.Put(t.Context(), &formattedChore{ID: "2", Owner: aws.String("Ann"), Hash: []byte{1}, Day: &day}))
		owner := attr.Must(func(e *formattedChore) **string { return &e.Owner })
		hash := attr.Must(func(e *formattedChore) *[]byte { return &e.Hash })
		at := attr.Must(func(e *formattedChore) **time.Time { return &e.Day })
		other, later := aws.String("bob"), day.AddDate(0, 0, 1)
		type cond = attr.Cond[formattedChore]
		for name, c := range map[string]struct{ absent, present, either, absentOr cond }{
			"text":  {owner.Eq(nil), owner.Ne(nil), owner.In(nil, aws.String("ann")), owner.In(other, nil)},
			"bytes": {hash.Eq(nil), hash.Ne(nil), hash.In([]byte{1}, nil), hash.In(nil, []byte{2}, nil)},
			"time":  {at.Eq(nil), at.Ne(nil), at.In(&day, nil), at.In(nil, &later)},
		} {
			for _, x := range []struct {
				c      cond
				result [2]bool // of the item without the attributes, and of the item with them
			}{
				{c.absent, [2]bool{true, false}}, {c.present, [2]bool{false, true}}, {c.either, [2]bool{true, true}}, {c.absentOr, [2]bool{true, false}},
				{attr.Not[formattedChore](c.absent), [2]bool{false, true}}, {attr.Not[formattedChore](c.absentOr), [2]bool{false, true}},
			} {
				for i, id := range []string{"1", "2"} {
					list, err := query.Of(repo, formattedChore{ID: id}).Filter(x.c).Collect(t.Context())
					require.NoError(t, err, name)
					require.Equal(t, x.result[i], len(list) == 1, "%s: %v of %s", name, x.c, id)
					err = repo.Put(t.Context(), map[string]*formattedChore{"1": {ID: "1"}, "2": {ID: "2", Owner: aws.String("Ann"), Hash: []byte{1}, Day: &day}}[id], x.c)
					require.Equal(t, x.result[i], err == nil, "%s: %v of %s: %v", name, x.c, id, err)
				}
			}
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
		require.NoError(t, testchecks.Counts(t.Context(), table))
		require.NoError(t, testchecks.Items(t.Context(), table, 10))

		title := attr.Must(func(t *topic) **string { return &t.Title })
		require.NoError(t, tx.Write(t.Context(), answers.In(table).Op().Create(&answer{Topic: "1", ID: "a"}),
			topics.In(table).Op().Check(topic{ID: "1"}, title.NotExists())))
		require.Equal(t, topic{ID: "1", Replies: 1, Version: 1}, stored("1"))

		store("2", "version", "replies")
		item, err := answers.Encode(&answer{Topic: "2", ID: "a"})
		require.NoError(t, err)
		_, err = client.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: aws.String("table"), Item: item})
		require.NoError(t, err)
		_, err = maintain.RepairCounts(t.Context(), table, maintain.Run{})
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
