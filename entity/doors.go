package entity

import (
	"github.com/trestledb/trestle/internal/door"
)

func init() {
	door.SourceOf = sourceOf
	door.Fail = failure
}

// opener is what every Source has, whatever its T.
type opener interface{ open() (*view, *definition) }

func (r Repo[T]) open() (*view, *definition)   { return r.v, r.definition() }
func (r Reader[T]) open() (*view, *definition) { return r.v, r.t.definition() }

// sourceOf opens a Source for the packages that read through it.
func sourceOf(s any) door.Source {
	o, ok := s.(opener)
	if !ok {
		return door.Source{Err: errNoTable}
	}
	v, d := o.open()
	if err := ready(v, d); err != nil {
		return door.Source{Err: err}
	}
	return door.Source{Env: &v.env, Plan: d.plan, Strong: v.strong}
}
