package main

import (
	"context"
	"strings"

	"github.com/trestledb/trestle/query"
)

// Row is an issue with its values as text, by field ID.
type Row struct {
	Issue Issue
	Cells map[string]string
}

// Page is a page of the grid. Next is the cursor of the next page, or "" after the last page.
type Page struct {
	Rows []Row
	Next string
}

// Grid is the grid of a project's issues. Each of its methods sorts by another column and reads a
// page of at most size rows.
type Grid struct {
	store   Store
	columns Columns
	size    int
}

func (s Store) Grid(columns Columns, size int) Grid { return Grid{s, columns, size} }

// ByNumber returns a page of the issues sorted by number.
func (g Grid) ByNumber(ctx context.Context, cursor string) (Page, error) {
	return g.page(ctx, g.store.byNumber(g.columns.Project.ID), cursor)
}

// ByState returns a page of the issues sorted by state and then by number.
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

// ByField returns a page of the issues sorted by the value of a field and then by number. The
// issues without the field come last, sorted by number, because no index has them. Pages may
// therefore be short, but only the last page may be empty.
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

// without is the prefix of the cursors of issues that do not have the field.
const without = "without."

// sorted returns a page of the issues that have a field. After the last of them it returns pages of
// the issues that do not.
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
		next = without // after the last issue with the field
	}
	return issues, next, err
}

// IssuesWith returns a page of the issues that have a field, sorted by its value and then by
// number. The index has the IDs of the issues, and a batch reads the issues.
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
		if issue != nil { // nil if it was deleted after the index was read
			issues = append(issues, *issue)
		}
	}
	return issues, next, nil
}

// IssuesWithout reads a page of all issues by number and returns those that do not have a field. A
// batch reads the values of the field. The result may be shorter than the page, or empty.
func (s Store) IssuesWithout(ctx context.Context, project string, f Field, size int, cursor string) ([]Issue, string, error) {
	// Bind rejects the cursor of another field, which would skip issues of this field.
	page, err := s.byNumber(project).Limit(size).Bind("without", f.ID).Page(ctx, cursor)
	if err != nil {
		return nil, "", err
	}
	missing, err := s.values(f.Kind).missing(ctx, f.ID, page.Items)
	return missing, page.Next, err
}

// rows reads all cells of the issues in one batch.
func (g Grid) rows(ctx context.Context, issues []Issue) ([]Row, error) {
	fields := g.columns.Fields
	var refs []query.ItemRef
	for _, issue := range issues {
		for _, f := range fields {
			refs = append(refs, g.store.values(f.Kind).ref(issue.ID, f.ID))
		}
	}
	found, err := query.GetMany(ctx, refs...)
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
