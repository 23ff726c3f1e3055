package tx_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
)

// task has every feature: a version, timestamps, a time to live, an index, a unique value and a
// count.
type task struct {
	_       entity.Key     `type:"task" pk:"LIST#<list>" sk:"TASK#<id>"`
	_       entity.Index   `name:"by-state" on:"GSI1" pk:"STATE#<state>" sk:"<list>#<id>"`
	_       entity.Unique  `name:"title" key:"<title:lower>"`
	_       entity.Counted `in:"list" as:"tasks" pk:"LIST#<list>" sk:"LIST"`
	List    string         `dynamodbav:"list"`
	ID      string         `dynamodbav:"id"`
	Title   string         `dynamodbav:"title"`
	State   string         `dynamodbav:"state"`
	Version int64          `dynamodbav:"version" entity:"version"`
	Created time.Time      `dynamodbav:"created" entity:"created"`
	Updated time.Time      `dynamodbav:"updated" entity:"updated"`
}

// list counts its tasks.
type list struct {
	_     entity.Key `type:"list" pk:"LIST#<id>" sk:"LIST"`
	ID    string     `dynamodbav:"id"`
	Tasks int        `dynamodbav:"tasks"`
}

// link expires. It has no version, so it can be written by BatchWriteItem.
type link struct {
	_       entity.Key   `type:"link" pk:"LINK#<id>" sk:"LINK"`
	_       entity.Index `name:"by-state" on:"GSI1" pk:"LINKS#<state>" sk:"<id>"`
	ID      string       `dynamodbav:"id"`
	State   string       `dynamodbav:"state"`
	Created time.Time    `dynamodbav:"created" entity:"created"`
	Updated time.Time    `dynamodbav:"updated" entity:"updated"`
	Expires time.Time    `dynamodbav:"expires" entity:"ttl"`
}

var (
	taskTitle   = attr.Must(func(t *task) *string { return &t.Title })
	taskState   = attr.Must(func(t *task) *string { return &t.State })
	linkState   = attr.Must(func(l *link) *string { return &l.State })
	linkExpires = attr.Must(func(l *link) *time.Time { return &l.Expires })
)

// board is a table of lists, tasks and links.
type board struct {
	client *dynamodb.Client
	now    time.Time
	table  *entity.Table
	lists  *entity.Repo[list]
	tasks  *entity.Repo[task]
	links  *entity.Repo[link]

	db     *ddbtest.DB // nil: another engine
	states map[bool]*ddbtest.Snapshot
}

func newBoard(t testing.TB, client *dynamodb.Client) *board {
	t.Helper()
	b := openBoard(t, client)
	require.NoError(t, b.table.Create(t.Context()))
	return b
}

// openBoard opens the table. It does not create it.
func openBoard(t testing.TB, client *dynamodb.Client) *board {
	t.Helper()
	b := &board{client: client, now: noon}
	s := entity.NewSchema(entity.Config{Indexes: []entity.IndexConfig{{Name: "GSI1"}}, Clock: func() time.Time { return b.now }})
	lists, tasks, links := entity.Define[list](s), entity.Define[task](s), entity.Define[link](s)
	table, err := s.Open(client, "board")
	require.NoError(t, err)
	b.table = table
	b.lists, b.tasks, b.links = lists.In(table), tasks.In(table), links.In(table)
	return b
}

// The times of the first and the second write, and of the expiry. They are far in the future, so
// that the engine's clock deletes nothing.
var (
	firstWrite  = time.Date(2090, 1, 1, 0, 0, 0, 0, time.UTC)
	secondWrite = firstWrite.Add(time.Hour)
	expiry      = firstWrite.Add(24 * time.Hour)
)

// reset brings the table into its initial state: with the task or link "a" or without it.
func (b *board) reset(t testing.TB, exists bool) {
	t.Helper()
	if state := b.states[exists]; state != nil {
		b.db.Restore(state)
		return
	}
	b.restart(t, exists)
	if b.db != nil {
		b.states[exists] = b.db.Snapshot()
	}
}

// restart is reset without a snapshot.
func (b *board) restart(t testing.TB, exists bool) {
	t.Helper()
	ctx := context.WithoutCancel(t.Context())
	pages := dynamodb.NewScanPaginator(b.client, &dynamodb.ScanInput{TableName: aws.String("board"), ConsistentRead: aws.Bool(true)})
	for pages.HasMorePages() {
		out, err := pages.NextPage(ctx)
		require.NoError(t, err)
		for _, item := range out.Items {
			_, err := b.client.DeleteItem(ctx, &dynamodb.DeleteItemInput{TableName: aws.String("board"), Key: map[string]types.AttributeValue{"PK": item["PK"], "SK": item["SK"]}})
			require.NoError(t, err)
		}
	}
	b.now = firstWrite
	require.NoError(t, b.lists.Create(ctx, &list{ID: "l"}))
	if exists {
		require.NoError(t, b.tasks.Create(ctx, &task{List: "l", ID: "a", Title: "Old", State: "open"}))
		require.NoError(t, b.links.Put(ctx, &link{ID: "a", State: "open", Expires: expiry}))
	}
	b.now = secondWrite
}

// stored returns an item by its key, or nil.
func (b *board) stored(t testing.TB, pk, sk string) map[string]types.AttributeValue {
	t.Helper()
	out, err := b.client.GetItem(context.WithoutCancel(t.Context()), &dynamodb.GetItemInput{
		TableName: aws.String("board"), ConsistentRead: aws.Bool(true),
		Key: map[string]types.AttributeValue{"PK": &types.AttributeValueMemberS{Value: pk}, "SK": &types.AttributeValueMemberS{Value: sk}},
	})
	require.NoError(t, err)
	return out.Item
}

// text returns an attribute as text, or "" if there is none.
func text(av types.AttributeValue) string {
	switch av := av.(type) {
	case *types.AttributeValueMemberS:
		return av.Value
	case *types.AttributeValueMemberN:
		return av.Value
	default:
		return ""
	}
}

// guards returns the owners of the guards of titles.
func (b *board) guards(t testing.TB) map[string]string {
	t.Helper()
	found := map[string]string{}
	pages := dynamodb.NewScanPaginator(b.client, &dynamodb.ScanInput{TableName: aws.String("board"), ConsistentRead: aws.Bool(true)})
	for pages.HasMorePages() {
		out, err := pages.NextPage(context.WithoutCancel(t.Context()))
		require.NoError(t, err)
		for _, item := range out.Items {
			if title, ok := strings.CutPrefix(text(item["PK"]), "$U#unique#task#title#"); ok {
				found[title] = text(item["_owner"].(*types.AttributeValueMemberM).Value["SK"])
			}
		}
	}
	return found
}

// dump returns all items, by their keys.
func (b *board) dump(t testing.TB) map[[2]string]map[string]types.AttributeValue {
	t.Helper()
	all := map[[2]string]map[string]types.AttributeValue{}
	pages := dynamodb.NewScanPaginator(b.client, &dynamodb.ScanInput{TableName: aws.String("board"), ConsistentRead: aws.Bool(true)})
	for pages.HasMorePages() {
		out, err := pages.NextPage(context.WithoutCancel(t.Context()))
		require.NoError(t, err)
		for _, item := range out.Items {
			all[[2]string{text(item["PK"]), text(item["SK"])}] = item
		}
	}
	return all
}
