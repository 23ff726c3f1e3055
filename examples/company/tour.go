package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/examples/internal/program"
)

// run creates the table and makes every request. It prints what each request does and returns.
func run(ctx context.Context, client trestle.Client, out io.Writer) error {
	table, err := Schema.Open(client, "company")
	if err != nil {
		return err
	}
	if err := table.Create(ctx); err != nil {
		return err
	}
	t := tour{Tour: program.Tour{Out: out}, store: NewStore(table)}
	if err := program.RunSteps(ctx, t.fill, t.byKey, t.children, t.everything, t.byName, t.rename, t.assignments, t.remove); err != nil {
		return err
	}
	t.Printf("\nthe table at the end:")
	return t.Table(ctx, client, table.Name(), "PK", "SK", "filterName", "GSI1PK", "GSI1SK", "_type")
}

// tour is one run of the program.
type tour struct {
	program.Tour
	store Store
}

func (t tour) fill(ctx context.Context) error {
	err := errors.Join(
		t.store.AddCompany(ctx, &Company{ID: "C001", Name: "CompanyOne"}),
		t.store.AddEmployee(ctx, &Employee{CompanyID: "C001", ID: "E001", Name: "Alice"}),
		t.store.AddEmployee(ctx, &Employee{CompanyID: "C001", ID: "E002", Name: "Bob"}),
		t.store.AddProject(ctx, &Project{CompanyID: "C001", ID: "P001", Name: "Atlas"}),
		t.store.AddCompany(ctx, &Company{ID: "C002", Name: "Hollow"}),
	)
	if err != nil {
		return err
	}
	t.Printf("two companies, two employees and a project are stored")
	if err := t.store.AddCompany(ctx, &Company{ID: "C001", Name: "Impostor"}); !errors.Is(err, trestle.ErrExists) {
		return fmt.Errorf("a second C001 was not rejected: %w", err)
	}
	t.Printf("a second company C001 is rejected: it already exists")
	return nil
}

func (t tour) byKey(ctx context.Context) error {
	c, err := t.store.Company(ctx, "C001")
	if err != nil {
		return err
	}
	t.Printf("\ncompany C001 by its key: %s", c.Name)
	if _, err := t.store.Company(ctx, "c001"); !errors.Is(err, trestle.ErrNotFound) {
		return fmt.Errorf("the key c001 differs from C001, so there is no such item: %w", err)
	}
	t.Printf("company c001: not found, because keys are case-sensitive")
	return nil
}

func (t tour) children(ctx context.Context) error {
	projects := program.List(t.store.Projects(ctx, "C001"), func(p Project) string { return p.Name })
	employees := program.List(t.store.Employees(ctx, "C001"), func(e Employee) string { return e.Name })
	t.Printf("\nprojects of C001: %s", projects)
	t.Printf("employees of C001: %s", employees)
	return nil
}

func (t tour) everything(ctx context.Context) error {
	t.Printf("\nall items of C001, read by one query as Go values in key order:")
	for item, err := range t.store.Everything(ctx, "C001") {
		if err != nil {
			return err
		}
		t.Printf("  %T %s", item, nameOf(item))
	}
	o, err := t.store.Overview(ctx, "C001")
	if err != nil {
		return err
	}
	t.Printf("the same items in a struct: %s with %d employees and %d project", o.Company.Name, len(o.Employees), len(o.Projects))
	return nil
}

func (t tour) byName(ctx context.Context) error {
	t.Printf("\nin the partition of C001, by the label CompanyOne: %s", t.ids(t.store.CompanyByLabel(ctx, "C001", "CompanyOne")))
	t.Printf("in the whole table, by the name CompanyOne: %s", t.ids(t.store.CompaniesByName(ctx, "CompanyOne")))
	return nil
}

func (t tour) rename(ctx context.Context) error {
	if _, err := t.store.Rename(ctx, "C001", "CompanyPrime"); err != nil {
		return err
	}
	t.Printf("\nC001 is renamed to CompanyPrime")
	t.Printf("by the name CompanyOne: %s", t.ids(t.store.CompaniesByName(ctx, "CompanyOne")))
	t.Printf("by the name CompanyPrime: %s", t.ids(t.store.CompaniesByName(ctx, "CompanyPrime")))
	return nil
}

func (t tour) assignments(ctx context.Context) error {
	err := errors.Join(
		t.store.Assign(ctx, &Assignment{CompanyID: "C001", ProjectID: "P001", EmployeeID: "E001", Hours: 20}),
		t.store.Assign(ctx, &Assignment{CompanyID: "C001", ProjectID: "P001", EmployeeID: "E002", Hours: 5}),
	)
	if err != nil {
		return err
	}
	t.Printf("\nAlice and Bob work on Atlas")
	t.Printf("team of P001: %s", program.List(t.store.Team(ctx, "C001", "P001"), func(a Assignment) string { return a.EmployeeID }))
	t.Printf("projects of E002: %s", program.List(t.store.AssignmentsOf(ctx, "C001", "E002"), func(a Assignment) string { return a.ProjectID }))
	return nil
}

func (t tour) remove(ctx context.Context) error {
	if err := t.store.RemoveCompany(ctx, "C002"); err != nil {
		return err
	}
	t.Printf("\ncompany C002 is deleted\nby the name Hollow: %s", t.ids(t.store.CompaniesByName(ctx, "Hollow")))
	return nil
}

func (t tour) ids(companies iter.Seq2[Company, error]) string {
	return program.List(companies, func(c Company) string { return c.ID })
}

func nameOf(item any) string {
	switch v := item.(type) {
	case Company:
		return v.Name
	case Employee:
		return v.Name
	case Project:
		return v.Name
	default:
		return "?"
	}
}
