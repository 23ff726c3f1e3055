package maintain_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/internal/testchecks"
	"github.com/trestledb/trestle/maintain"
)

// mate is a type whose index and unique value change.
type mate struct {
	ID    string `dynamodbav:"id"`
	Team  string `dynamodbav:"team"`
	Email string `dynamodbav:"email"`
	Text  string `dynamodbav:"text"`
}

// mates opens the table for the type with an index or not, and with the template of its unique
// value.
func mates(t *testing.T, client trestle.Client, indexed bool, unique string) (*entity.Table, *entity.Repo[mate]) {
	t.Helper()
	s := entity.NewSchema(entity.Config{Indexes: []entity.IndexConfig{{Name: "GSI1"}}})
	spec := entity.Spec{
		Type: "mate", Key: entity.KeySpec{PK: "MATE#<id>", SK: "MATE"},
		Uniques: []entity.UniqueSpec{{Name: "email", Key: unique}},
	}
	if indexed {
		spec.Indexes = []entity.IndexSpec{{Name: "by-team", On: "GSI1", PK: "TEAM#<team>", SK: "<id>"}}
	}
	of := entity.DefineSpec[mate](s, spec)
	table, err := s.Open(client, "mates")
	require.NoError(t, err)
	return table, of.In(table)
}

// A new index costs two write units for each stored item of at most 1 KB. After the template of a
// unique value has changed, Reindex claims the new guards and leaves the old ones, which
// RepairGuards deletes. RepairGuards alone does both.
func TestReindexBesideRepairGuards(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		const n = 20
		ctx, client := t.Context(), e.Client(t)
		table, repo := mates(t, client, false, "<email>")
		require.NoError(t, table.Create(ctx))
		for i := range n {
			m := mate{ID: fmt.Sprint(i), Team: "t", Email: fmt.Sprint(i, "@example.com"), Text: strings.Repeat("x", 800)}
			require.NoError(t, repo.Create(ctx, &m))
		}
		table, repo = mates(t, client, true, "<email>")
		report, err := maintain.Reindex(ctx, table, maintain.Run{}, repo.Type())
		require.NoError(t, err)
		require.Equal(t, n, report.Updated)
		require.Zero(t, report.Created)
		require.InDelta(t, 2*n, report.Capacity.Write, 0)
		require.NoError(t, testchecks.Guards(ctx, table))

		table, repo = mates(t, client, true, "work#<email>")
		report, err = maintain.Reindex(ctx, table, maintain.Run{}, repo.Type())
		require.NoError(t, err)
		require.Equal(t, n, report.Created)
		var wrong *maintain.Error
		require.ErrorAs(t, testchecks.Guards(ctx, table), &wrong)
		require.Len(t, wrong.Problems, n)
		repaired, err := maintain.RepairGuards(ctx, table, maintain.Run{})
		require.NoError(t, err)
		require.Equal(t, n, repaired.Deleted)
		require.Zero(t, repaired.Created)
		require.NoError(t, testchecks.Guards(ctx, table))

		table, _ = mates(t, client, true, "home#<email>")
		repaired, err = maintain.RepairGuards(ctx, table, maintain.Run{})
		require.NoError(t, err)
		require.Equal(t, n, repaired.Deleted)
		require.Equal(t, n, repaired.Created)
		require.NoError(t, testchecks.Guards(ctx, table))
	})
}
