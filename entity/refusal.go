package entity

import (
	"errors"

	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/exec"
)

var (
	errNil          = errs.New("", "the entity is nil", "give a pointer to one")
	errNoType       = errs.New("", "the type is not defined", "make it with Define or DefineSpec, as a package variable")
	errNoOpen       = errs.New("", "the table was not opened", "take the one that Schema.Open returned")
	errNoTable      = errs.New("", "the repository is on no table", "make it with In(table), of a table that Open returned")
	errOtherTable   = errs.New("", "the type belongs to another schema than the table", "define it on the schema that the table was opened with")
	errTooLate      = errs.New("", "the type was defined after the schema was opened", "define all types before Open, as package variables")
	errOtherType    = errs.New("", "the item is empty or of another type", "tell items of several types apart with package query")
	errNoProjection = errs.New("", "the projection is not declared", "make it with Project, as a package variable")
	errOldOnly      = errs.New("", "the service gives back the old item only", "use AllOld")
	errNoOld        = errs.New("", "a get and a create give back nothing that was there before", "leave Return out")
	errReadsFirst   = errs.New("", "an overwrite of a versioned type depends on what it reads first", "take the input of a put")
	errNoReturn     = errs.New("", "there is no such return", "use AllOld, AllNew, UpdatedOld or UpdatedNew")
	errNotActive    = &errs.ValidationError{Problems: []errs.Problem{{Reason: "the table is made, and not active after five minutes", Hint: "look at it with table.Check"}}}
)

// failure converts an error of the executor to an OpError; nil stays nil.
func failure(err error) error {
	if err == nil {
		return nil
	}
	var f *exec.Failure
	if !errors.As(err, &f) {
		return err
	}
	e := &OpError{
		Op: f.Operation, Entity: f.Entity, Table: f.Table, Index: f.Index, RequestID: f.RequestID,
		Outcome: Outcome(f.Outcome), Attempts: f.Attempts, Key: f.Key,
		kind: f.Kind, cause: f.Err, cure: f.Cure, plan: f.Plan, met: f.Existing,
	}
	if errors.Is(e.kind, ErrInvalid) {
		e.kind, e.cause = settled(f.Err)
	}
	return e
}

// refused converts a validation error to an OpError; nil stays nil.
func refused(verb string, d *definition, err error) error {
	if err == nil {
		return nil
	}
	e := &OpError{Op: verb, Outcome: unsent(verb)}
	e.kind, e.cause = settled(err)
	if d != nil && d.plan != nil {
		e.Entity = d.plan.Name
	}
	return e
}

// unsent is the outcome of an operation that was not sent.
func unsent(verb string) Outcome {
	switch verb {
	case createVerb, putVerb, overwriteVerb, updateVerb, upsertVerb, deleteVerb, createTableVerb:
		return NotApplied
	default:
		return NoWrite
	}
}

// refused adds the table to the OpError.
func (v *view) refused(verb string, d *definition, err error) error {
	err = refused(verb, d, err)
	if e := (*OpError)(nil); v != nil && errors.As(err, &e) {
		e.Table = v.env.Table
	}
	return err
}

// settled returns the sentinel error of a validation error, if one applies. It converts any other
// error of an internal package, whose text holds no value, to a validation error.
func settled(err error) (kind, cause error) {
	kind = errs.KindOf(err)
	if r := (*errs.ValidationError)(nil); errors.Is(kind, errs.Invalid) && !errors.As(err, &r) {
		return kind, errs.Wrap("", err)
	}
	return kind, err
}
