package core

import (
	"reflect"
	"sync/atomic"
)

// Path is an attribute of an entity, or a place in one, before it is resolved with a plan. It is
// immutable and must not be copied.
type Path struct {
	Owner reflect.Type // the entity's struct type
	Steps []*Step      // pointers, so that printing a struct that holds a path shows no map key
	Leaf  reflect.Type // the Go type at the end; nil if known at run time only
	Err   error        // why the path cannot be used; Bind returns it

	bound atomic.Pointer[BoundPath] // the last result of Bind
}

// StepKind is the kind of a step.
type StepKind uint8

const (
	// StepField selects a field of a Go struct by its reflect index.
	StepField StepKind = iota
	// StepAt selects an element of a list.
	StepAt
	// StepKey selects an entry of a map.
	StepKey
	// StepName selects an attribute by name, in an untyped path. The attribute may be unknown.
	StepName
)

// Step is one step of a path.
type Step struct {
	Kind  StepKind
	Index []int        // StepField: may pass through several structs, embedded or nested
	In    reflect.Type // StepField: the struct that Index starts from; nil for the entity
	At    int          // StepAt
	Name  string       // StepKey, StepName
}

// Extend returns the path with more steps. It keeps the error of the path, or else sets err.
func (p *Path) Extend(leaf reflect.Type, err error, steps ...*Step) *Path {
	if p == nil {
		return &Path{Err: errNoHandle}
	}
	if p.Err != nil {
		err = p.Err
	}
	all := make([]*Step, 0, len(p.Steps)+len(steps))
	return &Path{Owner: p.Owner, Steps: append(append(all, p.Steps...), steps...), Leaf: leaf, Err: err}
}

// In returns the path's steps as steps below a place that holds a struct of type t.
func (p *Path) In(t reflect.Type) []*Step {
	steps := append([]*Step(nil), p.Steps...)
	if len(steps) > 0 && steps[0].Kind == StepField {
		first := *steps[0]
		first.In = t
		steps[0] = &first
	}
	return steps
}
