package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/examples/internal/program"
)

// run creates the table and prints the grid in every order.
func run(ctx context.Context, client trestle.Client, out io.Writer) error {
	// A service reads the key from its secret store. All its servers share one key.
	var key [32]byte
	_, _ = rand.Read(key[:])
	table, err := Schema.Open(client, "gridview", entity.Cursors(entity.CursorRing{Keys: []entity.CursorKey{entity.NewCursorKey(key)}}))
	if err != nil {
		return err
	}
	if err := table.Create(ctx); err != nil {
		return err
	}
	t := tour{Tour: program.Tour{Out: out}, store: NewStore(table)}
	return program.RunSteps(ctx, t.fill, t.lists, t.grids, t.limits)
}

// tour is one run of the program.
type tour struct {
	program.Tour
	store Store
}

func (t tour) fill(ctx context.Context) error {
	if err := fill(ctx, t.store); err != nil {
		return err
	}
	t.Printf("stored: two tenants with a project each, four fields, and five issues with six values")
	return nil
}

func (t tour) lists(ctx context.Context) error {
	tenant, err := t.store.Tenant(ctx, "0807")
	if err != nil {
		return err
	}
	t.Printf("\nprojects of %s: %s", tenant.Name, program.List(t.store.Projects(ctx, "0807"), func(p Project) string { return p.Name }))
	d, err := t.store.Details(ctx, "020e")
	if err != nil {
		return err
	}
	t.Printf("issue %d (%s) has %d dates", d.Issue.Number, d.Issue.Name, len(d.Dates))
	open := program.List(t.store.IssuesIn(ctx, "35e9", "open"), func(i Issue) string { return fmt.Sprint(i.Number) })
	t.Printf("open issues of 35e9, by number: %s", open)
	return nil
}

func (t tour) grids(ctx context.Context) error {
	columns, err := t.store.Columns(ctx, "35e9")
	if err != nil {
		return err
	}
	grid := t.store.Grid(columns, 2)
	if err := t.show(ctx, columns, "by number", grid.ByNumber); err != nil {
		return err
	}
	if err := t.show(ctx, columns, "by state and number", grid.ByState); err != nil {
		return err
	}
	for _, f := range columns.Fields {
		by := func(ctx context.Context, cursor string) (Page, error) { return grid.ByField(ctx, f, cursor) }
		if err := t.show(ctx, columns, "by "+f.Name, by); err != nil {
			return err
		}
	}
	return nil
}

// show prints the grid page by page. It reads each page with the cursor of the page before.
func (t tour) show(ctx context.Context, c Columns, order string, read func(context.Context, string) (Page, error)) error {
	t.Printf("\n%s %s:", c.Project.Name, order)
	w := tabwriter.NewWriter(t.Out, 0, 0, 2, ' ', 0)
	heads := []string{"page", "number", "name", "state"}
	for _, f := range c.Fields {
		heads = append(heads, f.Name)
	}
	fmt.Fprintln(w, strings.Join(heads, "\t"))
	cursor := ""
	for n := 1; ; n++ {
		page, err := read(ctx, cursor)
		if err != nil {
			return err
		}
		for _, row := range page.Rows {
			cells := []string{fmt.Sprint(n), fmt.Sprint(row.Issue.Number), row.Issue.Name, row.Issue.State}
			for _, f := range c.Fields {
				cells = append(cells, cmp.Or(row.Cells[f.ID], "-"))
			}
			fmt.Fprintln(w, strings.Join(cells, "\t"))
		}
		if page.Next == "" {
			return w.Flush()
		}
		cursor = page.Next
	}
}

func (t tour) limits(ctx context.Context) error {
	err := t.store.AddIssue(ctx, &Issue{ID: "ffff", ProjectID: "35e9", Number: 1_000_000, Name: "One too many", State: "open"})
	if !errors.Is(err, trestle.ErrInvalid) {
		return fmt.Errorf("a number of seven digits was not rejected: %w", err)
	}
	t.Printf("\nissue 1000000 is rejected: the format of its number has six digits")
	return nil
}
