package main

import (
	"context"
	"iter"

	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/query"
)

// Store is the data access object. The rest of the service uses only its methods.
type Store struct {
	companies   *entity.Repo[Company]
	employees   *entity.Repo[Employee]
	projects    *entity.Repo[Project]
	assignments *entity.Repo[Assignment]
}

func NewStore(t *entity.Table) Store {
	return Store{Companies.In(t), Employees.In(t), Projects.In(t), Assignments.In(t)}
}

func (s Store) AddCompany(ctx context.Context, c *Company) error   { return s.companies.Create(ctx, c) }
func (s Store) AddEmployee(ctx context.Context, e *Employee) error { return s.employees.Create(ctx, e) }
func (s Store) AddProject(ctx context.Context, p *Project) error   { return s.projects.Create(ctx, p) }

func (s Store) Company(ctx context.Context, id string) (Company, error) {
	return s.companies.Get(ctx, Company{ID: id})
}

func (s Store) Rename(ctx context.Context, id, name string) (Company, error) {
	// The same write updates both indexes.
	return s.companies.Update(ctx, Company{ID: id}, CompanyName.Set(name))
}

func (s Store) RemoveCompany(ctx context.Context, id string) error {
	return s.companies.Delete(ctx, Company{ID: id})
}

func (s Store) Projects(ctx context.Context, company string) iter.Seq2[Project, error] {
	return query.Of(s.projects, Project{CompanyID: company}).All(ctx)
}

func (s Store) Employees(ctx context.Context, company string) iter.Seq2[Employee, error] {
	return query.Of(s.employees, Employee{CompanyID: company}).All(ctx)
}

func (s Store) CompanyByLabel(ctx context.Context, id, name string) iter.Seq2[Company, error] {
	return query.On(s.companies, "by-label", Company{ID: id}).Where(CompanyName.Eq(name)).All(ctx)
}

func (s Store) CompaniesByName(ctx context.Context, name string) iter.Seq2[Company, error] {
	return query.On(s.companies, "by-name", Company{Name: name}).All(ctx)
}
