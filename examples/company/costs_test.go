package main

import (
	"context"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/examples/internal/costs"
	"github.com/trestledb/trestle/examples/internal/program"
	"github.com/trestledb/trestle/internal/costtest"
	"github.com/trestledb/trestle/query"
)

// The requests of the store cost what Explain reports.
func TestCosts(t *testing.T) {
	t.Parallel()
	costs.Check(t, func(t *testing.T, client trestle.Client, text string) (string, []costs.Pattern) {
		table, err := Schema.Open(client, "company")
		require.NoError(t, err)
		require.NoError(t, table.Create(t.Context()))
		s := NewStore(table)
		demo := tour{Tour: program.Tour{Out: io.Discard}, store: s}
		require.NoError(t, program.RunSteps(t.Context(), demo.fill, demo.assignments))
		return table.Name(), append(readCosts(s), writeCosts(s, text)...)
	})
}

func readCosts(s Store) []costs.Pattern {
	const id, name = "C001", "CompanyOne"
	everything := query.Of(s.companies, Company{ID: id}).Collection()
	return []costs.Pattern{
		costs.Of("company", func(ctx context.Context) error { return costs.Err(s.Company(ctx, id)) }, costtest.Get(s.companies, Company{ID: id})),
		costs.Of("projects", func(ctx context.Context) error { return costs.ReadAll(s.Projects(ctx, id)) },
			costtest.Query(query.Of(s.projects, Project{CompanyID: id}))),
		costs.Of("employees", func(ctx context.Context) error { return costs.ReadAll(s.Employees(ctx, id)) },
			costtest.Query(query.Of(s.employees, Employee{CompanyID: id}))),
		costs.Of("overview", func(ctx context.Context) error { return costs.Err(s.Overview(ctx, id)) }, costtest.Query(everything)),
		costs.Of("everything", func(ctx context.Context) error { return costs.ReadAll(s.Everything(ctx, id)) }, costtest.Query(everything)),
		costs.Of("company by its label", func(ctx context.Context) error { return costs.ReadAll(s.CompanyByLabel(ctx, id, name)) },
			costtest.Query(query.On(s.companies, "by-label", Company{ID: id}).Where(CompanyName.Eq(name)))),
		costs.Of("companies by name", func(ctx context.Context) error { return costs.ReadAll(s.CompaniesByName(ctx, name)) },
			costtest.Query(query.On(s.companies, "by-name", Company{Name: name}))),
		costs.Of("team", func(ctx context.Context) error { return costs.ReadAll(s.Team(ctx, id, "P001")) },
			costtest.Query(query.Of(s.assignments, Assignment{CompanyID: id, ProjectID: "P001"}))),
		costs.Of("assignments", func(ctx context.Context) error { return costs.ReadAll(s.AssignmentsOf(ctx, id, "E002")) },
			costtest.Query(query.On(s.assignments, "by-employee", Assignment{CompanyID: id, EmployeeID: "E002"}))),
	}
}

// writeCosts returns the writes. Their names are nearly as long as an index key may be.
func writeCosts(s Store, text string) []costs.Pattern {
	name := "Third" + text[:min(len(text), 800)]
	company := &Company{ID: "C003", Name: name}
	employee := &Employee{CompanyID: "C003", ID: "E001", Name: name}
	project := &Project{CompanyID: "C003", ID: "P001", Name: name}
	assignment := &Assignment{CompanyID: "C003", ProjectID: "P001", EmployeeID: "E001", Hours: 8}
	return []costs.Pattern{
		costs.Of("add a company", func(ctx context.Context) error { return s.AddCompany(ctx, company) }, costtest.Create(s.companies, company)),
		costs.Of("add an employee", func(ctx context.Context) error { return s.AddEmployee(ctx, employee) }, costtest.Create(s.employees, employee)),
		costs.Of("add a project", func(ctx context.Context) error { return s.AddProject(ctx, project) }, costtest.Create(s.projects, project)),
		costs.Of("assign", func(ctx context.Context) error { return s.Assign(ctx, assignment) }, costtest.Put(s.assignments, assignment)),
		costs.Of("rename", func(ctx context.Context) error { return costs.Err(s.Rename(ctx, "C001", "CompanyPrime")) },
			costtest.Update(s.companies, Company{ID: "C001"}, CompanyName.Set("CompanyPrime"))),
		costs.Of("remove", func(ctx context.Context) error { return s.RemoveCompany(ctx, "C002") }, costtest.Delete(s.companies, Company{ID: "C002"})),
	}
}
