package entity

import (
	"context"
	"errors"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/exec"
	"github.com/trestledb/trestle/internal/repo"
	"github.com/trestledb/trestle/internal/table"
)

// Table is a schema opened on a client and a table name. It is safe for concurrent use.
type Table struct {
	schema *Schema
	view   repo.View
}

// Open binds the schema to a table, and closes the schema for further types. It reports all
// problems at once as [trestle.ErrInvalid]: the mistakes of the schema as a
// [*trestle.DefinitionError], a client without a Region, an invalid table name. It sends nothing;
// maintain.Check compares the schema with the real table.
func (s *Schema) Open(client trestle.Client, name string, options ...TableOption) (*Table, error) {
	var problems errs.Problems
	table.CheckOpen(client, name, &problems)
	for _, o := range options {
		switch o := o.(type) {
		case nil:
			problems.Add("", "an option is nil", "leave it out")
		case interface{ check(*errs.Problems) }:
			o.check(&problems)
		}
	}
	checkCursors(options, &problems)
	checkRandom(options, &problems)
	if err := errors.Join(s.open(), refusedOpen(name, problems)); err != nil {
		return nil, err
	}
	schema := s.definitions.Schema
	t := &Table{schema: s, view: repo.NewView(schema, exec.Config{Client: client, JSON: exec.SendsJSON(client), Table: name, Clock: schema.Clock, Observer: s.observer})}
	for _, o := range options {
		o.table(t)
	}
	return t, nil
}

func refusedOpen(name string, problems errs.Problems) error {
	if err := problems.Err(); err != nil {
		return &trestle.OpError{Op: "open", Table: name, Outcome: trestle.NoWrite, Kind: errs.Invalid, Err: err}
	}
	return nil
}

// Name returns the name of the table, or "" for a Table that Open did not return.
func (t *Table) Name() string {
	if t.opened() != nil {
		return ""
	}
	return t.view.Exec.Table
}

// opened reports why the table cannot be used.
func (t *Table) opened() error {
	if t == nil || t.schema == nil {
		return repo.ErrNoOpen
	}
	return nil
}

// repo returns the repository of a type.
//
//go:noinline
func (t *Table) repo(of *repo.Type) *repo.Repo {
	if t == nil {
		return repo.New(nil, of)
	}
	return repo.New(&t.view, of)
}

// Create creates the table with on-demand billing and every index, and enables time to live if the
// schema has a TTL attribute. It returns when the table is active, or with an error after five
// minutes. If a table of that name exists, the error is [trestle.ErrExists]; use maintain.Check to
// compare it with the schema. If Create fails after the table was created, the table remains: the
// outcome of the error is [trestle.Applied], or [trestle.Unknown] if the reply to UpdateTimeToLive
// is lost.
func (t *Table) Create(ctx context.Context) error {
	err := t.opened()
	if err == nil {
		err = t.view.Err
	}
	if err == nil {
		err = t.view.Exec.Tenant.Whole()
	}
	if err != nil {
		return repo.Invalid(table.CreateName, nil, trestle.NotApplied, err)
	}
	return table.Table{Config: &t.view.Exec, Schema: t.view.Schema}.Create(ctx)
}

// Definition returns the input of CreateTable for the schema and a table name: on-demand billing,
// every key attribute and every index. It depends on the [Config] only, not on the entity types. It
// returns nil for a schema that [NewSchema] did not return.
func (s *Schema) Definition(name string) *dynamodb.CreateTableInput {
	if s.empty() {
		return nil
	}
	return table.Definition(s.definitions.Schema, name)
}
