package core

import (
	"reflect"
	"sync/atomic"
)

// Path names an attribute of an entity, or a place inside one, before it is known which plan it will meet. It does not change once it
// is made, and must not be copied.
type Path struct {
	Owner reflect.Type // the entity's struct type
	Steps []*Step      // behind pointers: what prints a struct that holds a path shows no key of a map
	Leaf  reflect.Type // the Go type at the end; nil where only run time knows
	Err   error        // why the path cannot be used: reported by whoever uses it

	bound atomic.Pointer[Bound] // what it last met: nearly always the same plan
}

// StepKind says how a step goes on from where it stands.
type StepKind uint8

const (
	// StepField goes to a field of the Go struct, by its reflect index.
	StepField StepKind = iota
	// StepAt goes to an element of a list.
	StepAt
	// StepKey goes to an entry of a map.
	StepKey
	// StepName goes to an attribute by name, known or not: the untyped way.
	StepName
)

// Step is one step of a path.
type Step struct {
	Kind  StepKind
	Index []int        // StepField: may pass several structs, embedded or nested
	In    reflect.Type // StepField: the struct that Index starts from; nil: the entity
	At    int          // StepAt
	Name  string       // StepKey, StepName
}

// Extend returns the path that goes on from this one. An error of the path, or the one given, goes along.
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

// In returns the path's steps, as they go on from a place that holds a struct of that type.
func (p *Path) In(t reflect.Type) []*Step {
	steps := append([]*Step(nil), p.Steps...)
	if len(steps) > 0 && steps[0].Kind == StepField {
		first := *steps[0]
		first.In = t
		steps[0] = &first
	}
	return steps
}
