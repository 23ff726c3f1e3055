package main

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
	"github.com/trestledb/trestle/query"
)

// filled is an issue of a random project with its values.
type filled struct {
	Issue
	date, count, note *int // an index of the possible values, or nil
}

var notes = []string{"A", "A B", "A!", `A"`, "A#", "B"} // in sort order

func randomProject(rng *rand.Rand, n int) []filled {
	maybe := func(n int) *int {
		if rng.IntN(3) == 0 {
			return nil
		}
		v := rng.IntN(n)
		return &v
	}
	issues := make([]filled, n)
	for i, number := range rng.Perm(n) {
		issues[i] = filled{
			Issue: Issue{ID: fmt.Sprintf("%04x", i), ProjectID: "p", Number: number, Name: "n", State: []string{"closed", "open"}[rng.IntN(2)]},
			date:  maybe(28), count: maybe(3), note: maybe(len(notes)),
		}
	}
	// At least one issue has no values.
	issues[0].date, issues[0].count, issues[0].note = nil, nil, nil
	return issues
}

func (f filled) store(ctx context.Context, s Store) error {
	err := s.AddIssue(ctx, &f.Issue)
	if err == nil && f.date != nil {
		err = s.SetDate(ctx, &DateValue{IssueID: f.ID, FieldID: "date", Number: f.Number, Value: in2023(2, 1+*f.date)})
	}
	if err == nil && f.count != nil {
		err = s.SetInt(ctx, &IntValue{IssueID: f.ID, FieldID: "count", Number: f.Number, Value: int64(*f.count) - 1})
	}
	if err == nil && f.note != nil {
		err = s.SetText(ctx, &TextValue{IssueID: f.ID, FieldID: "note", Number: f.Number, Value: notes[*f.note]})
	}
	return err
}

// sortedIDs returns the IDs of issues sorted by a value and then by number. Issues without the
// value come last.
func sortedIDs(issues []filled, by func(filled) *int) []string {
	issues = slices.Clone(issues)
	slices.SortFunc(issues, func(a, b filled) int {
		x, y := by(a), by(b)
		switch {
		case x == nil && y != nil:
			return 1
		case x != nil && y == nil:
			return -1
		case x != nil && *x != *y:
			return cmp.Compare(*x, *y)
		}
		return cmp.Compare(a.Number, b.Number)
	})
	ids := make([]string, len(issues))
	for i, issue := range issues {
		ids[i] = issue.ID
	}
	return ids
}

// A grid with any page size shows every issue once, sorted by any column. Only the last page may be
// empty. The index alone does not have all issues.
func TestGridShowsEveryIssue(t *testing.T) {
	t.Parallel()
	seed := testrand.Seed(t)
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		ctx, rng := t.Context(), rand.New(rand.NewPCG(seed, 0))
		_, typed := tables(t, e.Client(t), &reads{})
		issues := randomProject(rng, testsize.Pick(12, 60))
		for _, f := range issues {
			require.NoError(t, f.store(ctx, typed.Store))
		}
		columns := Columns{Project: Project{ID: "p"}, Fields: []Field{{ID: "date", Kind: Date}, {ID: "count", Kind: Int}, {ID: "note", Kind: Text}}}
		values := []func(filled) *int{
			func(f filled) *int { return f.date }, func(f filled) *int { return f.count }, func(f filled) *int { return f.note },
		}
		state := func(f filled) *int { n := strings.Index("closed open", f.State); return &n }
		for _, size := range []int{1, 5, len(issues)} {
			grid := typed.Grid(columns, size)
			require.Equal(t, sortedIDs(issues, func(filled) *int { return nil }), pages(t, size, grid.ByNumber))
			require.Equal(t, sortedIDs(issues, state), pages(t, size, grid.ByState))
			for i, f := range columns.Fields {
				want := sortedIDs(issues, values[i])
				by := func(ctx context.Context, cursor string) (Page, error) { return grid.ByField(ctx, f, cursor) }
				require.Equal(t, want, pages(t, size, by), "%s, %d a page", f.ID, size)
			}
		}
		for i, f := range columns.Fields {
			only, _, err := typed.IssuesWith(ctx, "p", f, 1000, "")
			require.NoError(t, err)
			require.Less(t, len(only), len(issues))
			require.Equal(t, sortedIDs(issues, values[i])[:len(only)], idsOf(only))
		}
	})
}

// pages reads all pages of a grid.
func pages(t *testing.T, size int, read func(context.Context, string) (Page, error)) []string {
	t.Helper()
	var ids []string
	for cursor := ""; ; {
		page, err := read(t.Context(), cursor)
		require.NoError(t, err)
		require.LessOrEqual(t, len(page.Rows), size)
		for _, row := range page.Rows {
			ids = append(ids, row.Issue.ID)
		}
		if cursor = page.Next; cursor == "" {
			return ids
		}
		require.NotEmpty(t, page.Rows, "only the last page may be empty")
	}
}

func idsOf(issues []Issue) (ids []string) {
	for _, issue := range issues {
		ids = append(ids, issue.ID)
	}
	return ids
}

// A cursor is valid only for the sort order of its page.
func TestCursorIsBoundToItsSortOrder(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		ctx := t.Context()
		table, err := Schema.Open(e.Client(t), "gridview", entity.Cursors(entity.CursorRing{Keys: []entity.CursorKey{entity.NewCursorKey([32]byte{1})}}))
		require.NoError(t, err)
		require.NoError(t, table.Create(ctx))
		s := NewStore(table)
		require.NoError(t, fill(ctx, s))
		columns, err := s.Columns(ctx, "35e9")
		require.NoError(t, err)
		grid, start, end := s.Grid(columns, 1), columns.Fields[0], columns.Fields[1]

		first, err := grid.ByField(ctx, start, "")
		require.NoError(t, err)
		second, err := grid.ByField(ctx, start, first.Next)
		require.NoError(t, err)
		require.Equal(t, "67d1", second.Rows[0].Issue.ID)
		_, err = grid.ByField(ctx, end, first.Next)
		require.ErrorIs(t, err, query.ErrCursor)
		_, err = grid.ByNumber(ctx, first.Next)
		require.ErrorIs(t, err, query.ErrCursor)
		_, err = grid.ByState(ctx, first.Next)
		require.ErrorIs(t, err, query.ErrCursor)
		_, err = grid.ByField(ctx, start, without+first.Next)
		require.ErrorIs(t, err, query.ErrCursor)
		_, err = grid.ByField(ctx, start, first.Next[1:])
		require.ErrorIs(t, err, query.ErrCursor)

		// The issues without a field follow those with it. A cursor among them is not valid for
		// another field.
		cursor := second.Next
		for !strings.HasPrefix(cursor, without) || cursor == without {
			page, err := grid.ByField(ctx, start, cursor)
			require.NoError(t, err)
			cursor = page.Next
		}
		_, err = grid.ByField(ctx, end, cursor)
		require.ErrorIs(t, err, query.ErrCursor)
		_, err = grid.ByNumber(ctx, strings.TrimPrefix(cursor, without))
		require.ErrorIs(t, err, query.ErrCursor)
	})
}
