package main

import (
	"context"
	"strings"

	"github.com/trestledb/trestle/query"
)

// Row is an issue with the texts of its values, by field.
type Row struct {
	Issue Issue
	Cells map[string]string
}

// Page is a page of the grid. Next is the cursor of the page behind it; empty at the end.
type Page struct {
	Rows []Row
	Next string
}

// Grid is a project's issues as a table. Each of its methods sorts it by something else, and reads a page of size rows at the most.
type Grid struct {
	store   Store
	columns Columns
	size    int
}

func (s Store) Grid(columns Columns, size int) Grid { return Grid{s, columns, size} }

// ByNumber sorts by number.
func (g Grid) ByNumber(ctx context.Context, cursor string) (Page, error) {
	return g.page(ctx, g.store.byNumber(g.columns.Project.ID), cursor)
}

// ByState sorts by state, and by number where that is the same.
func (g Grid) ByState(ctx context.Context, cursor string) (Page, error) {
	return g.page(ctx, g.store.byState(g.columns.Project.ID), cursor)
}

func (g Grid) page(ctx context.Context, q query.Query[Issue], cursor string) (Page, error) {
	page, err := q.Limit(g.size).Page(ctx, cursor)
	if err != nil {
		return Page{}, err
	}
	rows, err := g.rows(ctx, page.Items)
	return Page{rows, page.Next}, err
}

// ByField sorts by the value of a field, and by number where that is the same. The issues that do not have the field follow, by number:
// no index can hold what is not there. Pages may so be short, but only the last one may be empty.
func (g Grid) ByField(ctx context.Context, f Field, cursor string) (Page, error) {
	for {
		issues, next, err := g.store.sorted(ctx, g.columns.Project.ID, f, g.size, cursor)
		if err != nil {
			return Page{}, err
		}
		if len(issues) > 0 || next == "" {
			rows, err := g.rows(ctx, issues)
			return Page{rows, next}, err
		}
		cursor = next
	}
}

// without begins the cursors of the issues that do not have a field.
const without = "without."

// sorted is a page of the issues that have a field, or, behind them, of those that do not.
func (s Store) sorted(ctx context.Context, project string, f Field, size int, cursor string) ([]Issue, string, error) {
	rest, ok := strings.CutPrefix(cursor, without)
	if ok {
		issues, next, err := s.IssuesWithout(ctx, project, f, size, rest)
		if next != "" {
			next = without + next
		}
		return issues, next, err
	}
	issues, next, err := s.IssuesWith(ctx, project, f, size, cursor)
	if next == "" {
		next = without // behind the last that has it
	}
	return issues, next, err
}

// IssuesWith is a page of the issues that have a field, sorted by its value and then by number: the index tells which, and a batch reads them.
func (s Store) IssuesWith(ctx context.Context, project string, f Field, size int, cursor string) ([]Issue, string, error) {
	ids, next, err := s.values(f.Kind).issues(ctx, f.ID, size, cursor)
	if err != nil {
		return nil, "", err
	}
	keys := make([]Issue, len(ids))
	for i, id := range ids {
		keys[i] = Issue{ID: id, ProjectID: project}
	}
	found, err := s.issues.GetMany(ctx, keys)
	if err != nil {
		return nil, "", err
	}
	var issues []Issue
	for _, issue := range found {
		if issue != nil { // nil: removed since the index told of it
			issues = append(issues, *issue)
		}
	}
	return issues, next, nil
}

// IssuesWithout goes through a page of all issues, by number, and keeps those that do not have a field: a batch reads the values that they
// may have. What is kept may be less than the page, and none.
func (s Store) IssuesWithout(ctx context.Context, project string, f Field, size int, cursor string) ([]Issue, string, error) {
	page, err := s.byNumber(project).Limit(size).Bind("without", f.ID).Page(ctx, cursor) // another field's cursor would pass over its issues
	if err != nil {
		return nil, "", err
	}
	missing, err := s.values(f.Kind).missing(ctx, f.ID, page.Items)
	return missing, page.Next, err
}

// rows reads all cells of the issues in one batch.
func (g Grid) rows(ctx context.Context, issues []Issue) ([]Row, error) {
	fields := g.columns.Fields
	var lookups []query.Lookup
	for _, issue := range issues {
		for _, f := range fields {
			lookups = append(lookups, g.store.values(f.Kind).lookup(issue.ID, f.ID))
		}
	}
	found, err := query.GetMany(ctx, lookups...)
	if err != nil {
		return nil, err
	}
	rows := make([]Row, len(issues))
	for i, issue := range issues {
		rows[i] = Row{issue, map[string]string{}}
		for j, f := range fields {
			if value := found[i*len(fields)+j]; value != nil {
				rows[i].Cells[f.ID] = text(value)
			}
		}
	}
	return rows, nil
}
