package maintain_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/internal/testfaults"
	"github.com/trestledb/trestle/maintain"
	"github.com/trestledb/trestle/query"
)

// brokenPupils stores n pupils that cannot be decoded.
func brokenPupils(t *testing.T, client *dynamodb.Client, n int) (*entity.Table, *entity.Repo[pupil]) {
	t.Helper()
	s, of := pupils(true, "PUPIL")
	table, err := s.Open(client, "things", entity.PlainCursors())
	require.NoError(t, err)
	require.NoError(t, table.Create(t.Context()))
	for i := range n {
		item, err := of.Encode(&pupil{ID: fmt.Sprint(i), Email: fmt.Sprint(i)})
		require.NoError(t, err)
		item["email"] = &types.AttributeValueMemberBOOL{}
		_, err = client.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: aws.String("things"), Item: item})
		require.NoError(t, err)
	}
	return table, of.In(table)
}

// A run that ends early lists the problems that it has found. The run that continues there reports
// that there are some, also if it finds none itself.
func TestReindexKeepsProblemsOfEarlierRuns(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		ctx, client := t.Context(), e.Client(t)
		const n = 40
		table, repo := brokenPupils(t, client, n)
		problems := func(err error) maintain.Error {
			t.Helper()
			var found *maintain.Error
			require.ErrorAs(t, err, &found)
			return *found
		}
		reindex := func(ctx context.Context, run maintain.Run) (maintain.Report, error) {
			run.Concurrency = 2 // two segments, and so two pages
			return maintain.Reindex(ctx, table, run, repo.Type())
		}

		first, err := reindex(ctx, maintain.Run{Budget: 1})
		require.ErrorIs(t, err, query.ErrBudget)
		require.Equal(t, trestle.NoWrite, trestle.OutcomeOf(err))
		found := problems(err)
		require.Len(t, found.Problems, first.Left)
		require.Zero(t, found.Earlier)
		require.NotZero(t, first.Left)
		require.Less(t, first.Left, n)

		canceled, cancel := context.WithCancel(ctx)
		stopped, err := reindex(canceled, maintain.Run{Progress: func(maintain.Report) { cancel() }})
		require.ErrorIs(t, err, context.Canceled)
		require.Len(t, problems(err).Problems, stopped.Left)
		require.NotZero(t, stopped.Left)

		_, rest, _ := strings.Cut(first.Token, ".")
		for _, forged := range []string{rest, "0." + rest, "." + rest, "0" + first.Token, "-" + first.Token, "99999999999." + rest} {
			_, err = reindex(ctx, maintain.Run{From: forged})
			requireOutcome(t, err, query.ErrCursor, trestle.NotApplied)
		}

		second, err := reindex(ctx, maintain.Run{From: first.Token})
		found = problems(err)
		require.NotErrorIs(t, err, query.ErrBudget)
		require.Len(t, found.Problems, second.Left)
		require.Equal(t, []int{first.Left, n - first.Left}, []int{found.Earlier, second.Left})

		for i := range n { // another program deletes them
			_, err := client.DeleteItem(ctx, &dynamodb.DeleteItemInput{TableName: aws.String("things"), Key: avMap{"PK": avS(fmt.Sprint("PUPIL#", i)), "SK": avS("PUPIL")}})
			require.NoError(t, err)
		}
		second, err = reindex(ctx, maintain.Run{From: first.Token})
		found = problems(err)
		require.Equal(t, []int{first.Left, 0, 0}, []int{found.Earlier, len(found.Problems), second.Left})
		_, err = reindex(ctx, maintain.Run{})
		require.NoError(t, err)
	})
}

// The report counts writes whose reply is lost, and no write twice: moves, updates, and claims of
// guards alone.
func TestReindexCountsWritesWithoutAReply(t *testing.T) {
	t.Parallel()
	const n = 30
	for _, c := range []struct {
		name, sort string // the template of the sort key after the change
		keys       bool   // the index keys are stored
		want       []int  // Updated, Moved, Guards
	}{
		{"move", "P#<team>", false, []int{0, n, n}},
		{"update", "PUPIL", false, []int{n, 0, n}},
		{"guards", "PUPIL", true, []int{0, 0, n}},
	} {
		for fate, f := range testfaults.Fates {
			t.Run(c.name+", "+fate, func(t *testing.T) {
				t.Parallel()
				engines.Each(t, func(t *testing.T, e engines.Engine) {
					ctx, client := t.Context(), e.Client(t)
					s, of := pupils(true, c.sort)
					writes, lost := 0, 0
					w := &testfaults.Wire{}
					w.Decide = func(_ int, operation string) testfaults.Fate {
						if operation != "TransactWriteItems" {
							return testfaults.Pass
						}
						if writes++; writes%3 == 1 {
							return f
						}
						return testfaults.Pass
					}
					w.Then = func() {
						lost++
						require.NoError(t, w.Deliver())
					}
					table, err := s.Open(w.Client(client, 1), "things")
					require.NoError(t, err)
					require.NoError(t, table.Create(ctx))
					for i := range n {
						item, err := of.Encode(&pupil{ID: fmt.Sprint(i), Team: "t", Email: fmt.Sprint(i)})
						require.NoError(t, err)
						item["SK"] = avS("PUPIL")
						if !c.keys {
							delete(item, "GSI1PK")
							delete(item, "GSI1SK")
						}
						_, err = client.PutItem(ctx, &dynamodb.PutItemInput{TableName: aws.String("things"), Item: item})
						require.NoError(t, err)
					}
					report, err := maintain.Reindex(ctx, table, maintain.Run{Concurrency: 1}, of)
					require.NoError(t, err)
					require.Equal(t, c.want, []int{report.Updated, report.Moved, report.Created})
					require.Greater(t, lost, n/4)
				})
			})
		}
	}
}
