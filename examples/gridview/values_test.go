package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/query"
)

// relatedRows are the rows of the existing table on the index. Tenants and fields have no sort
// string and are not on it.
const relatedRows = `project-35e9 000001 issue-020e
project-35e9 000002 issue-67d1
project-35e9 000003 issue-af34
project-7b7e 000001 issue-3544
project-7b7e 000002 issue-83a4
tenant-0807 Forth Rail Bridge project-35e9
tenant-3cc8 The Daily News project-7b7e
xvalue-3812 2023-05-01#000001 issue-020e
xvalue-3812 2023-05-02#000002 issue-67d1
xvalue-3fe6 000042#000003 issue-af34
xvalue-47e5 Approved#000003 issue-af34
xvalue-882a 2023-06-01#000001 issue-020e
xvalue-882a 2023-06-02#000002 issue-67d1`

// The index has the values of fields, but not the fields.
func TestIndexHoldsValuesNotFields(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		client := e.Client(t)
		tables(t, client, &reads{})
		out, err := client.Scan(t.Context(), &dynamodb.ScanInput{TableName: aws.String("Issues"), IndexName: aws.String("Related")})
		require.NoError(t, err)
		rows := make([]string, len(out.Items))
		for i, item := range out.Items {
			rows[i] = textOf(item["Related Id"]) + " " + textOf(item["Sort String"]) + " " + textOf(item["Entity Id"])
		}
		slices.Sort(rows)
		require.Equal(t, relatedRows, strings.Join(rows, "\n"))

		require.Equal(t, 0, related(t, client, "Issues", "Related Id", "xattrib-3812"))
		require.Equal(t, 2, related(t, client, "Issues", "Related Id", "xvalue-3812"))
		require.Equal(t, 0, related(t, client, "gridview", "SK", "XFIELD#3812"))
		require.Equal(t, 2, related(t, client, "gridview", "SK", "XDATE#3812"))
	})
}

// related returns the number of items in a partition of the index, counted with the SDK alone.
func related(t *testing.T, client *dynamodb.Client, table, key, value string) int {
	t.Helper()
	out, err := client.Query(t.Context(), &dynamodb.QueryInput{
		TableName: &table, IndexName: aws.String("Related"), KeyConditionExpression: aws.String("#k = :v"),
		ExpressionAttributeNames:  map[string]string{"#k": key},
		ExpressionAttributeValues: map[string]types.AttributeValue{":v": avS(value)},
	})
	require.NoError(t, err)
	return int(out.Count)
}

func textOf(av types.AttributeValue) string { return av.(*types.AttributeValueMemberS).Value }

// A mistyped field ID in one row leaves values that belong to no field of their project.
func TestValuesWithoutAFieldAreFound(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		client := e.Client(t)
		old, _ := tables(t, client, &reads{})
		require.Empty(t, orphans(t, old))

		wrong := itemsOf("project-35e9 | xattrib-35e6 | Num Items | 3 | int", "Entity Id", "Related Id", "Name", "Num", "Type")
		put(t, client, "Issues", wrong)
		require.NoError(t, oldFields.In(old.table).Delete(t.Context(), oldField{Project: "35e9", Field: "3fe6"}))
		require.Equal(t, []string{"issue-af34 xvalue-3fe6 42#3"}, orphans(t, old))
	})
}

// orphans returns the values of a project's issues that belong to no field of the project.
func orphans(t *testing.T, s oldStore) []string {
	t.Helper()
	fields, err := query.Of(oldFields.In(s.table), oldField{Project: "35e9"}).Collect(t.Context())
	require.NoError(t, err)
	issues, err := s.byNumber("35e9").Collect(t.Context())
	require.NoError(t, err)
	var rows []string
	for _, issue := range issues {
		for v, err := range query.Of(oldValues.In(s.table), oldValue{Issue: issue.Issue}).All(t.Context()) {
			require.NoError(t, err)
			if !slices.ContainsFunc(fields, func(f oldField) bool { return f.Field == v.Field }) {
				rows = append(rows, rowOf(v))
			}
		}
	}
	return rows
}

var (
	textValue = attr.Must(func(v *TextValue) *string { return &v.Value })
	oldText   = attr.Must(func(v *oldValue) *string { return &v.Value })
)

// Values with a character that sorts before the delimiter sort correctly only if they are escaped.
func TestEscapedValuesKeepTheirOrder(t *testing.T) {
	t.Parallel()
	want := []string{"A#1", "A#10", "A B#3", "A!#4", `A"#5`, "AB#6"}
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		ctx := t.Context()
		old, typed := tables(t, e.Client(t), &reads{})
		for _, v := range []TextValue{
			{Value: "AB", Number: 6}, {Value: "A!", Number: 4}, {Value: "A", Number: 10},
			{Value: "A B", Number: 3}, {Value: `A"`, Number: 5}, {Value: "A", Number: 1},
		} {
			v.IssueID, v.FieldID = fmt.Sprint(v.Number), "text"
			require.NoError(t, typed.SetText(ctx, &v))
			require.NoError(t, oldValues.In(old.table).Put(ctx, &oldValue{Issue: v.IssueID, Field: v.FieldID, Value: v.Value, Number: v.Number}))
		}
		require.Equal(t, want, textsOf(ctx, t, typed))
		values, err := old.byValue("text").Collect(ctx)
		require.NoError(t, err)
		plain := make([]string, len(values))
		for i, v := range values {
			plain[i] = fmt.Sprintf("%s#%d", v.Value, v.Number)
		}
		require.Equal(t, []string{"A B#3", "A!#4", `A"#5`, "A#1", "A#10", "AB#6"}, plain)
		require.NotEqual(t, want, plain)

		// Comparisons depend on the sort order. Equality is exact in both models.
		q, plainQ := query.On(typed.texts, "by-text", TextValue{FieldID: "text"}), old.byValue("text")
		require.Equal(t, 4, count(t, q.Where(textValue.Gt("A"))), "all values except the two A")
		require.Equal(t, 1, count(t, plainQ.Where(oldText.Gt("A"))), "only AB")
		require.Equal(t, 2, count(t, q.Where(textValue.Eq("A"))))
		require.Equal(t, 2, count(t, plainQ.Where(oldText.Eq("A"))))
	})
}

func count[T any](t *testing.T, q query.Query[T]) int {
	t.Helper()
	n, err := q.Count(t.Context())
	require.NoError(t, err)
	return n
}

func textsOf(ctx context.Context, t *testing.T, s newStore) []string {
	t.Helper()
	var rows []string
	for v, err := range query.On(s.texts, "by-text", TextValue{FieldID: "text"}).All(ctx) {
		require.NoError(t, err)
		rows = append(rows, fmt.Sprintf("%s#%d", v.Value, v.Number))
	}
	return rows
}

// A number of seven digits does not fit six. Both models reject it in writes and in conditions
// before they send a request. A number in the format ord may have any size and sign.
func TestNumberThatDoesNotFitIsRejected(t *testing.T) {
	t.Parallel()
	require.Less(t, fmt.Sprintf("%06d", 1_000_000), fmt.Sprintf("%06d", 999_999), "as text, the rejected number would sort first")
	number := attr.Must(func(i *Issue) *int { return &i.Number })
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		ctx := t.Context()
		got := &reads{}
		old, typed := tables(t, e.Client(t), got)
		for _, n := range []int{1_000_000, -1} {
			*got = reads{}
			require.ErrorIs(t, typed.AddIssue(ctx, &Issue{ID: "f", ProjectID: "f", Number: n, Name: "f", State: "open"}), trestle.ErrInvalid)
			require.ErrorIs(t, typed.SetText(ctx, &TextValue{IssueID: "f", FieldID: "f", Number: n, Value: "f"}), trestle.ErrInvalid)
			require.ErrorIs(t, oldIssues.In(old.table).Put(ctx, &oldIssue{Issue: "f", Project: "f", Number: n}), trestle.ErrInvalid)
			_, err := typed.byNumber("f").Where(number.Ge(n)).Collect(ctx)
			require.ErrorIs(t, err, trestle.ErrInvalid)
			_, err = typed.byNumber("f").Where(number.Between(1, n)).Collect(ctx)
			require.ErrorIs(t, err, trestle.ErrInvalid)
			_, err = old.byNumber("f").Where(oldNumber.Ge(n)).Collect(ctx)
			require.ErrorIs(t, err, trestle.ErrInvalid)
			require.Zero(t, *got)
		}
		require.NoError(t, typed.AddIssue(ctx, &Issue{ID: "f", ProjectID: "f", Number: 999_999, Name: "f", State: "open"}))
		issue, err := typed.byNumber("f").Where(number.Ge(999_999)).One(ctx)
		require.NoError(t, err)
		require.Equal(t, 999_999, issue.Number)

		for i, v := range []int64{1_000_000, 999_999, -7, 0, 42} {
			require.NoError(t, typed.SetInt(ctx, &IntValue{IssueID: fmt.Sprint(i), FieldID: "int", Number: i, Value: v}))
		}
		var values []int64
		for v, err := range query.On(typed.ints, "by-int", IntValue{FieldID: "int"}).All(ctx) {
			require.NoError(t, err)
			values = append(values, v.Value)
		}
		require.Equal(t, []int64{-7, 0, 42, 999_999, 1_000_000}, values)
	})
}
