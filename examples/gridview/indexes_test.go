package main

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/query"
)

// listings are the rows of the index tables for each project and each field.
var listings = []struct {
	of        string
	preJoined []string // nil if the sort value is not a number
	want      []string
}{
	{"35e9", []string{"1 020e", "2 67d1", "3 af34"}, []string{"000001 020e", "000002 67d1", "000003 af34"}},
	{"3812", nil, []string{"2023-05-01#000001 020e", "2023-05-02#000002 67d1"}},
	{"3fe6", []string{"42 af34"}, []string{"000042#000003 af34"}},
	{"47e5", nil, []string{"Approved#000003 af34"}},
	{"7b7e", []string{"1 3544", "2 83a4"}, []string{"000001 3544", "000002 83a4"}},
	{"882a", nil, []string{"2023-06-01#000001 020e", "2023-06-02#000002 67d1"}},
}

// Every index returns the same issues in the same order.
func TestIndexModelsReturnTheSameIssues(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		pre, indexes := indexTables(t, e.Client(t))
		for _, l := range listings {
			rows, err := pre.under(t.Context(), l.of)
			require.NoError(t, err)
			require.Equal(t, l.preJoined, rows, "pre-joined: %s", l.of)
			for name, x := range indexes {
				rows, err := x.under(t.Context(), l.of)
				require.NoError(t, err)
				require.Equal(t, l.want, rows, "%s: %s", name, l.of)
			}
		}
	})
}

// Issues with equal values are sorted by number if the number is part of the key. Otherwise their
// order is undefined, but pages still return each of them once.
func TestEqualValuesSortByNumber(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		ctx := t.Context()
		pre, indexes := indexTables(t, e.Client(t))
		for name, x := range indexes {
			for _, number := range []int{33, 4, 200, 10} {
				require.NoError(t, x.tie(ctx, "3fe6", 42, number))
			}
			require.NoError(t, x.tie(ctx, "3fe6", 7, 50))
			rows, err := x.under(ctx, "3fe6")
			require.NoError(t, err)
			require.Equal(t, []string{
				"000007#000050 50", "000042#000003 af34", "000042#000004 4", "000042#000010 10", "000042#000033 33", "000042#000200 200",
			}, rows, name)
			rows, err = x.after(ctx, "3fe6", 42, 10)
			require.NoError(t, err)
			require.Equal(t, []string{"000042#000033 33", "000042#000200 200"}, rows, name)
		}
		for _, size := range []int{1, 2, 5, 6} {
			var issues []string
			for cursor := ""; ; {
				page, err := query.On(pre.rows, "pre-joined", joined{Of: "3fe6"}).Where(joinedNum.Eq(42)).Limit(size).Page(ctx, cursor)
				require.NoError(t, err)
				require.LessOrEqual(t, len(page.Items), size)
				for _, j := range page.Items {
					issues = append(issues, j.Issue)
				}
				if cursor = page.Next; cursor == "" {
					break
				}
			}
			require.ElementsMatch(t, []string{"af34", "4", "10", "33", "200"}, issues)
		}
	})
}

// Key attributes with their own values need no padding and no escaping. Any number and any string
// sorts correctly, and a period selects the dates of a field.
func TestMultiAttributeKeysNeedNoEncoding(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		ctx := t.Context()
		_, indexes := indexTables(t, e.Client(t))
		rows := indexes["lists"].(lists).rows
		for i, value := range []int{1_000_000, 999_999, -7} {
			require.NoError(t, rows.Create(ctx, &listed{Issue: fmt.Sprint(i), Of: "ints", Number: i, Int: &value}))
		}
		got, err := rowsBy(func(l listed) string { return fmt.Sprint(*l.Int) })(query.On(rows, "by-int", listed{Of: "ints"}).Collect(ctx))
		require.NoError(t, err)
		require.Equal(t, []string{"-7", "999999", "1000000"}, got)

		for i, value := range []string{"A!", "A", "A B", "A#", "A"} {
			require.NoError(t, rows.Create(ctx, &listed{Issue: fmt.Sprint(i), Of: "texts", Number: 9 - i, Text: value}))
		}
		got, err = rowsBy(func(l listed) string { return l.Text + "/" + l.Issue })(query.On(rows, "by-text", listed{Of: "texts"}).Collect(ctx))
		require.NoError(t, err)
		require.Equal(t, []string{"A/4", "A/1", "A B/2", "A!/0", "A#/3"}, got)
		n, err := query.On(rows, "by-text", listed{Of: "texts"}).Where(listedText.Eq("A"), listedNumber.Ge(6)).Count(ctx)
		require.NoError(t, err)
		require.Equal(t, 1, n)

		may, err := query.On(rows, "by-date", listed{Of: "3812"}).Where(attr.During(listedDate, attr.Month(2023, time.May))).Desc().Collect(ctx)
		require.NoError(t, err)
		require.Len(t, may, 2)
		require.Equal(t, []string{"67d1", "020e"}, []string{may[0].Issue, may[1].Issue})
		_, err = query.On(rows, "by-date", listed{Of: "3812"}).Where(listedNumber.Ge(1)).Collect(ctx)
		require.ErrorIs(t, err, trestle.ErrInvalid, "the date comes before the number")
	})
}

// indexTables creates and fills the tables of the four indexes.
func indexTables(t *testing.T, client *dynamodb.Client) (preJoined, map[string]index) {
	t.Helper()
	ctx := t.Context()
	old, err := joinedSchema.Open(client, "Joined", entity.PlainCursors())
	require.NoError(t, err)
	require.NoError(t, old.Create(ctx))
	put(t, client, "Joined", itemsOf(joinedTable, "Issue Id", "Project-Attribute Id", "Num", "Sort String"))

	_, typed := tables(t, client, &reads{})

	modern, err := listedSchema.Open(client, "listed")
	require.NoError(t, err)
	require.NoError(t, modern.Create(ctx))
	rows := listedRows.In(modern)
	for _, item := range itemsOf(joinedTable, "Issue Id", "Project-Attribute Id", "Num", "Sort String") {
		j, err := joinedRows.Decode(item)
		require.NoError(t, err)
		l := listed{Issue: j.Issue, Of: j.Of, Int: j.Num}
		value, number, _ := strings.Cut(j.Text, "#")
		switch kinds[j.Of] {
		case Date:
			l.Date, err = time.Parse(time.DateOnly, value)
			require.NoError(t, err)
		case Text:
			l.Text = value
		case Int:
		default:
			number = value // an issue of a project has only its number
		}
		l.Number, err = strconv.Atoi(number)
		require.NoError(t, err)
		require.NoError(t, rows.Create(ctx, &l))
	}
	return preJoined{joinedRows.In(old)}, map[string]index{"composite": composite{joinedRows.In(old)}, "typed": typed, "lists": lists{rows}}
}
