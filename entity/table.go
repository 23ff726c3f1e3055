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
// [Table.Check] compares the schema with the real table.
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

// whole returns the table for the operations on it as a whole. The error is that of the operation.
func (t *Table) whole(operation string, outcome trestle.Outcome) (table.Table, error) {
	if err := t.opened(); err != nil {
		return table.Table{}, repo.Invalid(operation, nil, outcome, err)
	}
	err := t.view.Err
	if err == nil {
		err = t.view.Exec.Tenant.Whole()
	}
	if err != nil {
		return table.Table{}, repo.Invalid(operation, nil, outcome, err)
	}
	return table.Table{Config: &t.view.Exec, Schema: t.view.Schema}, nil
}

// Create creates the table with on-demand billing and every index, and enables time to live if the
// schema has a TTL attribute. It returns when the table is active, or with an error after five
// minutes. If a table of that name exists, the error is [trestle.ErrExists]; use [Table.Check] to
// compare it with the schema. If Create fails after the table was created, the table remains: the
// outcome of the error is [trestle.Applied], or [trestle.Unknown] if the reply to UpdateTimeToLive
// is lost.
func (t *Table) Create(ctx context.Context) error {
	whole, err := t.whole(table.CreateName, trestle.NotApplied)
	if err != nil {
		return err
	}
	return whole.Create(ctx)
}

// Check compares the schema with the real table: keys and their types, indexes, projections and
// time to live. It returns a [*trestle.DriftError] that lists every difference, with a request that
// creates each missing global index. It sends one request, or two if the schema has a TTL
// attribute. It ignores an index that the schema does not declare. The keys and the local indexes
// of a table cannot be changed: such a difference requires a new table.
func (t *Table) Check(ctx context.Context) error {
	whole, err := t.whole(table.CheckName, trestle.NoWrite)
	if err != nil {
		return err
	}
	return whole.Check(ctx)
}

// CheckReplacement returns the plan of replacing a global index, from, by a new one, to, which has
// the same key attributes and another projection. The plan has what is done of it. DynamoDB cannot
// change the projection of an index. Call CheckReplacement before and after each step:
//
//  1. Declare the new index beside the old one, with its Partition and Sort, and create it.
//  2. Wait until DynamoDB has added the stored items to it.
//  3. Change the access patterns to the new index, and remove the old one from the schema. Deploy
//     every program.
//  4. Delete the old index.
//
// It sends one DescribeTable, and changes nothing: the plan has the requests for the SDK's client.
// While both indexes are there, a write pays for both. It returns a [*trestle.DriftError] if the
// table has one of the indexes with another key or projection, and [trestle.ErrInvalid] for indexes
// that cannot replace each other.
func (t *Table) CheckReplacement(ctx context.Context, from, to string) (trestle.IndexReplacement, error) {
	whole, err := t.whole(table.CheckReplacementName, trestle.NoWrite)
	if err != nil {
		return trestle.IndexReplacement{}, err
	}
	return whole.CheckReplacement(ctx, from, to)
}

// CheckItems reads at most the given number of items and compares each with the item that Put would
// store. It returns a [*trestle.DriftError] that lists, for each type and attribute, how many items
// differ, and how:
//
//   - the attribute holds a time in another zone than UTC, which conditions cannot
//     compare;
//   - the attribute is stored in another form than Put stores it, with parts that Put drops, or
//     with more digits than the field holds;
//   - the attribute has no field, so Put drops it; a field with the role rest keeps it;
//   - the attribute has an empty value that Put omits, such as "" of a field with omitempty;
//   - the type attribute is missing;
//   - the attribute is an index key that does not follow from the item's fields, or one that
//     follows from them and is missing;
//   - the item cannot be decoded, lacks a part of its key, or holds a value that Put rejects;
//   - the item never expires, because DynamoDB ignores its time to live: it is in milliseconds, of
//     another type than N, or more than five years in the past. The error says what to store.
//
// So an item that Get returns and Put stores is stored as it was, unless CheckItems lists it. An
// absent attribute, NULL, and the zero value of a field without omitempty make no difference: Put
// may store one for another.
//
// The items that it lists come from other programs, or from earlier versions of the type. A Put of
// an item that it accepts stores it in the current form. An item is not in an index if it lacks a
// number of the index key. CheckItems lists such an item if the field is not a pointer or
// omitempty: the number is then read as 0, so a Put would add the item to the index.
//
// CheckItems also counts the items of no type ([Raw]): those without a type attribute whose key is
// of no type, or of several that share it, and those with a rendered key of a type and a type
// attribute that names none. It does not compare items of types that other programs registered.
//
// The items are the first ones of a scan: a sample of a large table, or all of a small one.
// CheckItems costs half a read unit per 4 KB read. The observer is notified of one operation,
// "check items".
func (t *Table) CheckItems(ctx context.Context, items int) error {
	whole, err := t.whole(table.CheckItemsName, trestle.NoWrite)
	if err != nil {
		return err
	}
	return whole.CheckItems(ctx, items)
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
