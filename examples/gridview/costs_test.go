package main

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/examples/internal/costs"
	"github.com/trestledb/trestle/internal/costtest"
	"github.com/trestledb/trestle/query"
)

// forth is the ID of the project whose issues have values.
const forth = "35e9"

// The requests of the store cost what Explain reports.
func TestCosts(t *testing.T) {
	t.Parallel()
	costs.Check(t, func(t *testing.T, client trestle.Client, text string) (string, []costs.Pattern) {
		table, err := Schema.Open(client, "gridview", entity.PlainCursors())
		require.NoError(t, err)
		require.NoError(t, table.Create(t.Context()))
		s := NewStore(table)
		require.NoError(t, fill(t.Context(), s))
		columns, err := s.Columns(t.Context(), forth)
		require.NoError(t, err)
		return table.Name(), append(append(readCosts(s), gridCosts(s, columns)...), writeCosts(s, text)...)
	})
}

func readCosts(s Store) []costs.Pattern {
	return []costs.Pattern{
		costs.Of("tenant", func(ctx context.Context) error { return costs.Err(s.Tenant(ctx, "0807")) }, costtest.Get(s.tenants, Tenant{ID: "0807"})),
		costs.Of("columns", func(ctx context.Context) error { return costs.Err(s.Columns(ctx, forth)) },
			costtest.Query(query.Of(s.projects, Project{ID: forth}).Collection())),
		costs.Of("details", func(ctx context.Context) error { return costs.Err(s.Details(ctx, "020e")) },
			costtest.Query(query.Of(s.issues, Issue{ID: "020e"}).Collection())),
		costs.Of("projects", func(ctx context.Context) error { return costs.ReadAll(s.Projects(ctx, "0807")) },
			costtest.Query(query.On(s.projects, "by-name", Project{TenantID: "0807"}))),
		costs.Of("issues", func(ctx context.Context) error { return costs.ReadAll(s.Issues(ctx, forth)) }, costtest.Query(s.byNumber(forth))),
		costs.Of("open issues", func(ctx context.Context) error { return costs.ReadAll(s.IssuesIn(ctx, forth, "open")) },
			costtest.Query(s.byState(forth).Where(IssueState.Eq("open")))),
	}
}

// gridCosts returns the pages of the grid. A query finds the issues, and batches read the rest of
// the page.
func gridCosts(s Store, columns Columns) []costs.Pattern {
	grid, fields := s.Grid(columns, 2), columns.Fields
	start, items, signOff := fields[0], fields[2], fields[3]
	cells := func(issues ...string) costtest.Call { return cellCosts(s, fields, issues...) }
	byField := func(f Field, q costtest.Compiled, issues ...string) costs.Pattern {
		return costs.Of("a page by "+f.Name, func(ctx context.Context) error { return costs.Err(grid.ByField(ctx, f, "")) },
			costtest.Query(q), issueCosts(s, issues...), cells(issues...))
	}
	numbered := costtest.Query(s.byNumber(forth).Limit(2))
	return []costs.Pattern{
		costs.Of("a page by number", func(ctx context.Context) error { return costs.Err(grid.ByNumber(ctx, "")) }, numbered, cells("020e", "67d1")),
		costs.Of("a page by state", func(ctx context.Context) error { return costs.Err(grid.ByState(ctx, "")) },
			costtest.Query(s.byState(forth).Limit(2)), cells("67d1", "020e")),
		byField(start, query.On(s.dates, "by-date", DateValue{FieldID: start.ID}).Limit(2), "020e", "67d1"),
		byField(items, query.On(s.ints, "by-int", IntValue{FieldID: items.ID}).Limit(2), "af34"),
		byField(signOff, query.On(s.texts, "by-text", TextValue{FieldID: signOff.ID}).Limit(2), "af34"),
		costs.Of("pages of those without a start", func(ctx context.Context) error { return costs.Err(grid.ByField(ctx, start, without)) },
			numbered, cellCosts(s, fields[:1], "020e", "67d1"), // both have the field
			numbered, cellCosts(s, fields[:1], "af34"), cells("af34")),
	}
}

// issueCosts returns a batch that reads issues.
func issueCosts(s Store, ids ...string) costtest.Call {
	var issues []costtest.Call
	for _, id := range ids {
		issues = append(issues, costtest.Get(s.issues, Issue{ID: id, ProjectID: forth}))
	}
	return costtest.Batch(issues...)
}

// cellCosts returns a batch that reads the values of issues.
func cellCosts(s Store, fields []Field, issues ...string) costtest.Call {
	var cells []costtest.Call
	for _, issue := range issues {
		for _, f := range fields {
			switch f.Kind {
			case Date:
				cells = append(cells, costtest.Get(s.dates, DateValue{IssueID: issue, FieldID: f.ID}))
			case Int:
				cells = append(cells, costtest.Get(s.ints, IntValue{IssueID: issue, FieldID: f.ID}))
			case Text:
				cells = append(cells, costtest.Get(s.texts, TextValue{IssueID: issue, FieldID: f.ID}))
			}
		}
	}
	return costtest.Batch(cells...)
}

func writeCosts(s Store, text string) []costs.Pattern {
	tenant := &Tenant{ID: "1111", Name: "Third" + text}
	project := &Project{ID: "2222", TenantID: "1111", Name: "Tunnel"}
	field := &Field{ProjectID: "2222", ID: "3333", Name: text, Kind: Int}
	issue := &Issue{ID: "4444", ProjectID: "2222", Number: 1, Name: text, State: "open"}
	date := &DateValue{IssueID: "4444", FieldID: "d", Number: 1, Value: in2023(5, 1)}
	number := &IntValue{IssueID: "4444", FieldID: "i", Number: 1, Value: 7}
	words := &TextValue{IssueID: "4444", FieldID: "t", Number: 1, Value: "seven"}
	return []costs.Pattern{
		costs.Of("add a tenant", func(ctx context.Context) error { return s.AddTenant(ctx, tenant) }, costtest.Create(s.tenants, tenant)),
		costs.Of("add a project", func(ctx context.Context) error { return s.AddProject(ctx, project) }, costtest.Create(s.projects, project)),
		costs.Of("add a field", func(ctx context.Context) error { return s.AddField(ctx, field) }, costtest.Create(s.fields, field)),
		costs.Of("add an issue", func(ctx context.Context) error { return s.AddIssue(ctx, issue) }, costtest.Create(s.issues, issue)),
		costs.Of("set a date", func(ctx context.Context) error { return s.SetDate(ctx, date) }, costtest.Put(s.dates, date)),
		costs.Of("set a number", func(ctx context.Context) error { return s.SetInt(ctx, number) }, costtest.Put(s.ints, number)),
		costs.Of("set a text", func(ctx context.Context) error { return s.SetText(ctx, words) }, costtest.Put(s.texts, words)),
	}
}
