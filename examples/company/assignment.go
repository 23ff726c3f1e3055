package main

import (
	"context"
	"iter"

	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/query"
)

// Assignment is the work of an employee on a project. The table's key finds it by project, and GSI1
// by employee.
type Assignment struct {
	_          entity.Key   `type:"assignment" pk:"COM#<company_id>#PRO#<project_id>" sk:"EMP#<employee_id>"`
	_          entity.Index `name:"by-employee" on:"GSI1" pk:"COM#<company_id>#EMP#<employee_id>" sk:"PRO#<project_id>"`
	CompanyID  string       `dynamodbav:"company_id"`
	ProjectID  string       `dynamodbav:"project_id"`
	EmployeeID string       `dynamodbav:"employee_id"`
	Hours      int          `dynamodbav:"hours"`
}

var Assignments = entity.Define[Assignment](Schema)

func (s Store) Assign(ctx context.Context, a *Assignment) error { return s.assignments.Put(ctx, a) }

func (s Store) Team(ctx context.Context, company, project string) iter.Seq2[Assignment, error] {
	return query.Of(s.assignments, Assignment{CompanyID: company, ProjectID: project}).All(ctx)
}

func (s Store) AssignmentsOf(ctx context.Context, company, employee string) iter.Seq2[Assignment, error] {
	return query.On(s.assignments, "by-employee", Assignment{CompanyID: company, EmployeeID: employee}).All(ctx)
}

// Overview is a company with its employees and projects.
type Overview struct {
	Company   Company
	Employees []Employee
	Projects  []Project
}

func (s Store) Overview(ctx context.Context, company string) (o Overview, err error) {
	err = query.Load(ctx, query.Of(s.companies, Company{ID: company}).Collection(), &o)
	return o, err
}

func (s Store) Everything(ctx context.Context, company string) iter.Seq2[any, error] {
	return query.Items(ctx, query.Of(s.companies, Company{ID: company}).Collection())
}
