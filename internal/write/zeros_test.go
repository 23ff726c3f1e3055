package write_test

import (
	"errors"
	"reflect"
	"strings"
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
	"github.com/trestledb/trestle/query"
)

type forum struct {
	_       entity.Key `type:"forum" pk:"FORUM#<no:04>" sk:"FORUM"`
	No      int        `dynamodbav:"no"`
	Threads int        `dynamodbav:"threads"`
}

// thread has zeros in an index key, in a unique value, and in the key of the item that counts it.
type thread struct {
	_       entity.Key     `type:"thread" pk:"THREAD#<id>" sk:"THREAD"`
	_       entity.Index   `name:"by-likes" on:"GSI1" pk:"THREADS" sk:"<likes:08>"`
	_       entity.Counted `in:"forum" as:"threads" pk:"FORUM#<forum:04>" sk:"FORUM"`
	_       entity.Unique  `name:"seat" key:"<seat:04>"`
	ID      string         `dynamodbav:"id"`
	Likes   int            `dynamodbav:"likes"`
	Forum   int            `dynamodbav:"forum"`
	Seat    int            `dynamodbav:"seat"`
	Title   string         `dynamodbav:"title"`
	Version int64          `dynamodbav:"version" entity:"version"`
}

// post has a zero in an index key, and an optional member in another one.
type post struct {
	_       entity.Key   `type:"post" pk:"POSTS#<shard:id>" sk:"POST#<id>" shards:"2,4"`
	_       entity.Index `name:"by-likes" on:"GSI1" pk:"POSTS" sk:"<likes:08>"`
	_       entity.Index `name:"by-topic" on:"GSI2" pk:"TOPIC#<topic>" sk:"<level>"`
	ID      string       `dynamodbav:"id"`
	Likes   int          `dynamodbav:"likes"`
	Topic   *string      `dynamodbav:"topic"`
	Level   string       `dynamodbav:"level"`
	Title   string       `dynamodbav:"title"`
	Version int64        `dynamodbav:"version" entity:"version"`
}

// forums is a table of forums with their threads and posts.
type forums struct {
	client  *dynamodb.Client
	table   *entity.Table
	forums  *entity.Repo[forum]
	threads *entity.Repo[thread]
	posts   *entity.Repo[post]
}

func openForums(t *testing.T, e engines.Engine) forums {
	t.Helper()
	schema := entity.NewSchema(entity.Config{Indexes: []entity.IndexConfig{{Name: "GSI1"}, {Name: "GSI2"}}})
	a, b, c := entity.Define[forum](schema), entity.Define[thread](schema), entity.Define[post](schema)
	client := e.Client(t)
	table, err := schema.Open(client, "forums")
	require.NoError(t, err)
	require.NoError(t, table.Create(t.Context()))
	x := forums{client: client, table: table, forums: a.In(table), threads: b.In(table), posts: c.In(table)}
	require.NoError(t, x.forums.Create(t.Context(), &forum{}))
	return x
}

var (
	threadTitle = attr.Must(func(x *thread) *string { return &x.Title })
	threadLikes = attr.Must(func(x *thread) *int { return &x.Likes })
	postTitle   = attr.Must(func(x *post) *string { return &x.Title })
	postLevel   = attr.Must(func(x *post) *string { return &x.Level })
)

// TestAnUpsertCreatesWhatFollowsFromZeros: a number that an upsert does not set is 0 in the index,
// in the unique value, and for the count.
func TestAnUpsertCreatesWhatFollowsFromZeros(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		ctx, x := t.Context(), openForums(t, e)
		created, err := x.threads.Upsert(ctx, thread{ID: "a"}, threadTitle.Set("A"))
		require.NoError(t, err)
		require.Equal(t, thread{ID: "a", Title: "A", Version: 1}, created)
		found, err := query.On(x.threads, "by-likes", thread{}).Where(threadLikes.Eq(0)).Collect(ctx)
		require.NoError(t, err)
		require.Len(t, found, 1)
		got, err := x.forums.Strong().Get(ctx, forum{})
		require.NoError(t, err)
		require.Equal(t, 1, got.Threads)

		_, err = x.threads.Upsert(ctx, thread{ID: "b"}, threadTitle.Set("B"))
		require.ErrorIs(t, err, trestle.ErrTaken)
		_, err = x.threads.Upsert(ctx, thread{ID: "a"}, threadTitle.Set("again"))
		require.NoError(t, err)
		require.NoError(t, errors.Join(testchecks.Items(ctx, x.table, 100), testchecks.Guards(ctx, x.table), testchecks.Counts(ctx, x.table)))
		require.NoError(t, x.threads.Delete(ctx, thread{ID: "a"}))
		_, err = x.threads.Upsert(ctx, thread{ID: "b"}, threadTitle.Set("B"))
		require.NoError(t, err)
	})
}

// TestAnUpsertOfAVersionChangesNothingElse: an optional member of an index key keeps its stored
// form, as in an update.
func TestAnUpsertOfAVersionChangesNothingElse(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		ctx, x := t.Context(), openForums(t, e)
		require.NoError(t, x.posts.Create(ctx, &post{ID: "a", Topic: aws.String("")}))
		example := post{ID: "a", Version: 1}
		for name, repo := range map[string]*entity.Repo[post]{"a version": x.posts, "as read": x.posts.With(entity.AsRead())} {
			_, err := repo.Upsert(ctx, example, postLevel.Set(name))
			require.NoError(t, err)
			require.Equal(t, &types.AttributeValueMemberS{}, x.item(t, "post", "a")["topic"])
			example.Version++
		}
	})
}

// item returns the stored item of a thread or a post.
func (x *forums) item(t *testing.T, kind, id string) map[string]types.AttributeValue {
	t.Helper()
	out, err := x.client.Scan(t.Context(), &dynamodb.ScanInput{TableName: aws.String("forums"), ConsistentRead: aws.Bool(true)})
	require.NoError(t, err)
	for _, item := range out.Items {
		if text, ok := item["id"].(*types.AttributeValueMemberS); ok && text.Value == id && reflect.DeepEqual(item["_type"], &types.AttributeValueMemberS{Value: kind}) {
			return item
		}
	}
	t.Fatal("there is no such item")
	return nil
}

// TestChecksFindZeros: the checks find what another program does not keep for a zero: the guard,
// the count and the index key, also if the attribute is missing.
func TestChecksFindZeros(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		ctx, x := t.Context(), openForums(t, e)
		key, err := x.threads.Type().KeyOf(thread{ID: "a"})
		require.NoError(t, err)
		item := map[string]types.AttributeValue{"_type": &types.AttributeValueMemberS{Value: "thread"}, "id": &types.AttributeValueMemberS{Value: "a"}}
		for name, av := range key {
			item[name] = av
		}
		_, err = x.client.PutItem(ctx, &dynamodb.PutItemInput{TableName: aws.String("forums"), Item: item})
		require.NoError(t, err)
		require.Error(t, testchecks.Items(ctx, x.table, 100))
		require.Error(t, testchecks.Guards(ctx, x.table))
		require.Error(t, testchecks.Counts(ctx, x.table))
		_, err = maintain.RepairGuards(ctx, x.table, maintain.Run{})
		require.NoError(t, err)
		_, err = maintain.RepairCounts(ctx, x.table, maintain.Run{NoOtherWriters: true})
		require.NoError(t, err)
		require.NoError(t, errors.Join(testchecks.Guards(ctx, x.table), testchecks.Counts(ctx, x.table)))
		require.NoError(t, x.threads.Delete(ctx, thread{ID: "a"}))
		require.NoError(t, errors.Join(testchecks.Items(ctx, x.table, 100), testchecks.Guards(ctx, x.table), testchecks.Counts(ctx, x.table)))
	})
}

// TestAnUpsertWritesNoStaleKey: an item that was stored before its type had an index is not on the
// index. An upsert that does not know a member of its key leaves it so.
func TestAnUpsertWritesNoStaleKey(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		ctx, x := t.Context(), openForums(t, e)
		require.NoError(t, x.posts.Create(ctx, &post{ID: "a", Likes: 5}))
		item := x.item(t, "post", "a")
		delete(item, "GSI1PK")
		delete(item, "GSI1SK")
		_, err := x.client.PutItem(ctx, &dynamodb.PutItemInput{TableName: aws.String("forums"), Item: item})
		require.NoError(t, err)
		_, err = x.posts.Upsert(ctx, post{ID: "a"}, postTitle.Set("A"))
		require.NoError(t, err)
		require.NotContains(t, x.item(t, "post", "a"), "GSI1SK")
		_, err = x.posts.Upsert(ctx, post{ID: "new"}, postTitle.Set("New"))
		require.NoError(t, err)
		require.Equal(t, &types.AttributeValueMemberS{Value: "00000000"}, x.item(t, "post", "new")["GSI1SK"])
	})
}

// strict has no text for its zero.
type strict int

var errNoText = errors.New("the value has no text")

func (s strict) MarshalText() ([]byte, error) {
	if s == 0 {
		return nil, errNoText
	}
	return []byte(strings.Repeat("x", int(s))), nil
}

func (s *strict) UnmarshalText(text []byte) error { *s = strict(len(text)); return nil }

type order struct {
	_     entity.Key `type:"order" pk:"ORDER#<id>" sk:"ORDER"`
	ID    string     `dynamodbav:"id"`
	State strict     `dynamodbav:"state"`
	Note  string     `dynamodbav:"note"`
}

// TestAnUpsertCreatesNothingThatCreateRefuses: an entity whose zero cannot be stored is not
// created, but changed if it exists.
func TestAnUpsertCreatesNothingThatCreateRefuses(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		schema := entity.NewSchema(entity.Config{})
		orders := entity.Define[order](schema)
		table, err := schema.Open(e.Client(t), "orders")
		require.NoError(t, err)
		ctx := t.Context()
		require.NoError(t, table.Create(ctx))
		repo := orders.In(table)
		note, state := attr.Must(func(o *order) *string { return &o.Note }), attr.Must(func(o *order) *strict { return &o.State })
		require.ErrorIs(t, repo.Create(ctx, &order{ID: "a"}), trestle.ErrInvalid)
		_, err = repo.Upsert(ctx, order{ID: "a"}, note.Set("n"))
		require.ErrorIs(t, err, trestle.ErrInvalid)
		require.ErrorIs(t, err, errNoText)
		_, err = repo.Strong().Get(ctx, order{ID: "a"})
		require.ErrorIs(t, err, trestle.ErrNotFound)
		_, err = repo.Upsert(ctx, order{ID: "a"}, state.Set(2))
		require.NoError(t, err)
		got, err := repo.Upsert(ctx, order{ID: "a"}, note.Set("n"))
		require.NoError(t, err)
		require.Equal(t, order{ID: "a", State: 2, Note: "n"}, got)
	})
}

// longShot has a unique value that may be too long for a guard.
type longShot struct {
	_    entity.Key    `type:"longshot" pk:"L#<id>" sk:"L"`
	_    entity.Unique `name:"place" key:"<id>#<n:04>"`
	ID   string        `dynamodbav:"id"`
	N    int           `dynamodbav:"n"`
	Note string        `dynamodbav:"note"`
}

// TestAnUpsertCreatesNothingWithoutItsGuard: an entity whose guard cannot be stored is not created.
func TestAnUpsertCreatesNothingWithoutItsGuard(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		schema := entity.NewSchema(entity.Config{})
		shots := entity.Define[longShot](schema)
		table, err := schema.Open(e.Client(t), "shots")
		require.NoError(t, err)
		ctx := t.Context()
		require.NoError(t, table.Create(ctx))
		repo, note := shots.In(table), attr.Must(func(l *longShot) *string { return &l.Note })
		long := longShot{ID: strings.Repeat("x", 2040)}
		require.ErrorIs(t, repo.Create(ctx, &long), trestle.ErrLimit)
		_, err = repo.Upsert(ctx, long, note.Set("n"))
		require.ErrorIs(t, err, trestle.ErrLimit)
		_, err = repo.Strong().Get(ctx, long)
		require.ErrorIs(t, err, trestle.ErrNotFound)
	})
}
