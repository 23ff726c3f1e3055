package entity_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strconv"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/testchecks"
	"github.com/trestledb/trestle/maintain"
	"github.com/trestledb/trestle/query"
)

// put stores an item as another program would.
func (b *blog) put(t testing.TB, item avMap) {
	t.Helper()
	_, err := b.client.PutItem(context.WithoutCancel(t.Context()), &dynamodb.PutItemInput{TableName: aws.String("blog"), Item: item})
	require.NoError(t, err)
}

// remove deletes an item as another program would.
func (b *blog) remove(t testing.TB, partition, sort string) {
	t.Helper()
	_, err := b.client.DeleteItem(context.WithoutCancel(t.Context()), &dynamodb.DeleteItemInput{
		TableName: aws.String("blog"), Key: avMap{"PK": avS(partition), "SK": avS(sort)},
	})
	require.NoError(t, err)
}

// set changes attributes of an item as another program would.
func (b *blog) set(t testing.TB, partition, sort string, changes avMap) {
	t.Helper()
	out, err := b.client.GetItem(context.WithoutCancel(t.Context()), &dynamodb.GetItemInput{
		TableName: aws.String("blog"), Key: avMap{"PK": avS(partition), "SK": avS(sort)}, ConsistentRead: aws.Bool(true),
	})
	require.NoError(t, err)
	maps.Copy(out.Item, changes)
	maps.DeleteFunc(out.Item, func(name string, _ types.AttributeValue) bool {
		av, changed := changes[name]
		return changed && av == nil
	})
	b.put(t, out.Item)
}

// errors returns the difference between each stored count and the number of the items, if it is not
// zero. It shares no code with the library.
func (b *blog) errors(t testing.TB) map[string]int64 {
	t.Helper()
	numbers, stored := map[string]int64{}, map[string]int64{}
	pages := dynamodb.NewScanPaginator(b.client, &dynamodb.ScanInput{TableName: aws.String("blog"), ConsistentRead: aws.Bool(true)})
	for pages.HasMorePages() {
		page, err := pages.NextPage(context.WithoutCancel(t.Context()))
		require.NoError(t, err)
		for _, item := range page.Items {
			switch textOf(item["_type"]) {
			case "post":
				stored["comments of "+textOf(item["id"])] = wholeNumber(item["comments"])
				stored["stars of "+textOf(item["id"])] = wholeNumber(item["stars"])
			case "comment":
				numbers["comments of "+textOf(item["post"])]++
				stored["answers of "+textOf(item["post"])+" "+textOf(item["id"])] = wholeNumber(item["answers"])
				numbers["answers of "+textOf(item["post"])+" "+textOf(item["to"])]++
			case "star":
				numbers["stars of "+textOf(item["post"])]++
			}
		}
	}
	found := map[string]int64{}
	for name, n := range stored {
		if n != numbers[name] {
			found[name] = n - numbers[name]
		}
	}
	return found
}

func wholeNumber(av types.AttributeValue) int64 {
	n, ok := av.(*types.AttributeValueMemberN)
	i, _ := strconv.ParseInt(aws.ToString(numberText(n, ok)), 10, 64)
	return i
}

// listedCounts returns the problems of a CountError as sorted texts.
func listedCounts(t testing.TB, err error) (list []string) {
	t.Helper()
	if err == nil {
		return nil
	}
	var e *maintain.Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, "blog", e.Table)
	for _, p := range e.Problems {
		list = append(list, fmt.Sprintf("%s %s/%s: %d for %d: %s", p.Name, textOf(p.Item["PK"]), textOf(p.Item["SK"]), p.Stored, p.Items, p.Kind))
	}
	slices.Sort(list)
	return list
}

// furnish stores two posts with three comments each, and two stars.
func (b *blog) furnish(t testing.TB) {
	t.Helper()
	ctx := context.WithoutCancel(t.Context())
	for _, p := range []string{"p", "q"} {
		require.NoError(t, b.posts.Create(ctx, &post{ID: p}))
		for i := range 3 {
			c := comment{Post: p, ID: strconv.Itoa(i)}
			if i > 0 {
				c.To = "0"
			}
			require.NoError(t, b.comments.Create(ctx, &c))
		}
		require.NoError(t, b.stars.Create(ctx, &star{User: p, Slot: "1", Post: "p"}))
	}
}

// CheckCounts lists wrong counts, and RepairCounts corrects them.
func TestRepairCounts(t *testing.T) {
	t.Parallel()
	eachBlog(t, func(t *testing.T, b *blog) {
		ctx := t.Context()
		require.NoError(t, testchecks.Counts(ctx, b.table), "an empty table")
		b.furnish(t)
		require.Empty(t, b.errors(t))
		require.NoError(t, testchecks.Counts(ctx, b.table))
		report, err := maintain.RepairCounts(ctx, b.table, maintain.Run{})
		require.NoError(t, err)
		require.Equal(t, 8, report.Items)
		require.Equal(t, 8, report.Counting)
		require.Zero(t, report.Corrected)
		require.Zero(t, report.Capacity.Write)

		b.remove(t, "POST#p", "COMMENT#2")
		b.put(t, avMap{"PK": avS("USER#eve"), "SK": avS("STAR#1"), "_type": avS("star"), "user": avS("eve"), "slot": avS("1"), "post": avS("q")})
		b.set(t, "POST#q", "POST", avMap{"comments": nil})
		wrong := []string{
			"answers POST#p/COMMENT#0: 2 for 1: a count is not the number of the items",
			"comments POST#p/POST: 3 for 2: a count is not the number of the items",
			"comments POST#q/POST: 0 for 3: a count is not the number of the items",
			"stars POST#q/POST: 0 for 1: a count is not the number of the items",
		}
		require.Equal(t, wrong, listedCounts(t, testchecks.Counts(ctx, b.table)))
		pages, last := 0, maintain.Report{}
		report, err = maintain.RepairCounts(ctx, b.table, maintain.Run{Progress: func(r maintain.Report) { pages, last = pages+1, r }, Concurrency: 1000})
		require.Equal(t, wrong[:1], listedCounts(t, err), "comments have no version")
		require.ErrorIs(t, err, trestle.ErrInvalid, "the reason")
		require.Equal(t, 2, report.Corrected)
		require.Equal(t, 1, report.Left)
		require.GreaterOrEqual(t, pages, 2)
		require.Equal(t, 8, last.Items)
		require.Equal(t, 7, last.Counting)
		require.Greater(t, report.Capacity.Write, 0.0)
		p := b.post(t, "p")
		require.EqualValues(t, 2, p.Comments)
		require.EqualValues(t, 7, p.Version, "created, three comments, two stars, and the repair")

		report, err = maintain.RepairCounts(ctx, b.table, maintain.Run{NoOtherWriters: true})
		require.NoError(t, err)
		require.Equal(t, 1, report.Corrected)
		require.Empty(t, b.errors(t))
		require.NoError(t, testchecks.Counts(ctx, b.table))
	})
}

// Items of a counting item that does not exist are no problem, until it is created again.
func TestCountsOfMissingItems(t *testing.T) {
	t.Parallel()
	eachBlog(t, func(t *testing.T, b *blog) {
		ctx := t.Context()
		b.furnish(t)
		require.NoError(t, b.posts.Delete(ctx, post{ID: "p"}))
		require.NoError(t, testchecks.Counts(ctx, b.table))
		require.NoError(t, b.posts.Create(ctx, &post{ID: "p"}))
		require.Len(t, listedCounts(t, testchecks.Counts(ctx, b.table)), 2)
		_, err := maintain.RepairCounts(ctx, b.table, maintain.Run{})
		require.NoError(t, err)
		require.EqualValues(t, 3, b.post(t, "p").Comments)
		require.Equal(t, 2, b.post(t, "p").Stars)
	})
}

// If a counted item cannot be decoded, the counts of its type are not checked.
func TestCountsOfUndecodableItems(t *testing.T) {
	t.Parallel()
	eachBlog(t, func(t *testing.T, b *blog) {
		ctx := t.Context()
		b.furnish(t)
		b.set(t, "POST#p", "POST", avMap{"comments": avN("7"), "stars": avN("7")})
		b.set(t, "POST#p", "COMMENT#1", avMap{"text": &types.AttributeValueMemberBOOL{Value: true}})
		for range 2 {
			report, err := maintain.RepairCounts(ctx, b.table, maintain.Run{})
			require.Equal(t, []string{" POST#p/COMMENT#1: 0 for 0: an item cannot be decoded"}, listedCounts(t, err))
			require.Equal(t, 1, report.Left)
			require.Equal(t, map[string]int64{"comments of p": 4}, b.errors(t))
		}
		b.set(t, "POST#p", "COMMENT#1", avMap{"text": avS("x")})
		b.set(t, "POST#p", "POST", avMap{"title": &types.AttributeValueMemberBOOL{Value: true}})
		_, err := maintain.RepairCounts(ctx, b.table, maintain.Run{})
		require.NoError(t, err, "the counts are right, although the counting item cannot be decoded")
		require.Empty(t, b.errors(t))
		b.set(t, "POST#p", "POST", avMap{"comments": avS("three")})
		_, err = maintain.RepairCounts(ctx, b.table, maintain.Run{})
		require.NoError(t, err)
		require.Empty(t, b.errors(t))
	})
}

// The error has no key in any form. A budget ends the operation.
func TestCountErrors(t *testing.T) {
	t.Parallel()
	eachBlog(t, func(t *testing.T, b *blog) {
		ctx := t.Context()
		b.furnish(t)
		for _, id := range []string{"p", "q"} {
			b.set(t, "POST#"+id, "POST", avMap{"comments": avN("7357")})
		}
		err := testchecks.Counts(ctx, b.table)
		var e *maintain.Error
		require.ErrorAs(t, err, &e)
		require.Len(t, e.Problems, 2)
		object, err := json.Marshal(e)
		require.NoError(t, err)
		for _, text := range []string{e.Error(), fmt.Sprintf("%+v %v", *e, e.Problems), string(object), slog.AnyValue(e).Resolve().String(), slog.AnyValue(e.Problems[0]).Resolve().String()} {
			require.NotContains(t, text, "POST#")
			require.NotContains(t, text, "7357")
			require.Contains(t, text, "post comments")
		}
		_, err = maintain.RepairCounts(ctx, b.table, maintain.Run{Budget: 0.5, Concurrency: 8})
		require.ErrorIs(t, err, query.ErrBudget)
		ended, cancel := context.WithCancel(ctx)
		cancel()
		require.ErrorIs(t, testchecks.Counts(ended, b.table), context.Canceled)
	})
}
