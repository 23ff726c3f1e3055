package document

import (
	"reflect"
	"sync"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/hooks"
)

// definition is a declared document.
type definition struct {
	schema hooks.Schema
	typ    reflect.Type
	late   bool // it was defined after the schema was opened
	layout func() *layout
}

func declare(schema any, t reflect.Type) *definition {
	d := &definition{schema: hooks.SchemaOf(schema), typ: t}
	d.layout = sync.OnceValue(func() *layout {
		l, _ := newLayout(d.schema.Schema, t)
		return l
	})
	d.late = d.schema.Err == nil && !d.schema.Later(func() []trestle.Issue {
		_, issues := newLayout(d.schema.Schema, t)
		return issues
	})
	return d
}

// layout is a compiled document.
type layout struct {
	typ    reflect.Type
	schema *core.Schema
	state  int // the index of the field State
	root   *part
	parts  []*part // in the order of the fields, with the root
	of     map[*core.Plan]*part
}

// part is a field of a document.
type part struct {
	name     string // of the field
	index    int
	plan     *core.Plan
	many     bool // a slice; otherwise the root, or a pointer
	isRoot   bool
	revision []int // the index of Root or Part in the entity
	large    []large
	prefix   string // of the sort keys
}

// large is a Large field of a part.
type large struct {
	name     string
	index    []int
	compress bool
}

// items returns pointers to the entities of a part, in a document.
func (p *part) items(doc reflect.Value) (list []reflect.Value) {
	f := doc.Field(p.index)
	switch {
	case p.many:
		for i := range f.Len() {
			list = append(list, f.Index(i).Addr())
		}
	case p.isRoot:
		list = append(list, f.Addr())
	case !f.IsNil():
		list = append(list, f)
	}
	return list
}

// companions returns how many guards and counting items an item of the part has.
func (p *part) companions() int { return len(p.plan.Uniques) + len(p.plan.Counted) }

// add adds an entity to a part of a document.
func (p *part) add(doc, entity reflect.Value) {
	f := doc.Field(p.index)
	switch {
	case p.many:
		f.Set(reflect.Append(f, entity.Elem()))
	case p.isRoot:
		f.Set(entity.Elem())
	default:
		f.Set(entity)
	}
}

// revisionOf returns the address of the revision of an entity.
func (p *part) revisionOf(entity reflect.Value) *string {
	r, _ := entity.Elem().FieldByIndex(p.revision).Addr().Interface().(revised)
	return r.revision()
}

// rootOf returns the Root of a root entity.
func (p *part) rootOf(entity reflect.Value) *Root {
	r, _ := entity.Elem().FieldByIndex(p.revision).Addr().Interface().(*Root)
	return r
}

// largeOf returns a large value of an entity, and its stored form.
func (l *large) of(entity reflect.Value) (value any, stored *content) {
	f, _ := entity.Elem().FieldByIndex(l.index).Addr().Interface().(largeField)
	return f.large()
}

// references returns the references of the large values of an entity.
func (p *part) references(entity reflect.Value) (list []Reference) {
	for i := range p.large {
		if _, c := p.large[i].of(entity); c.ref.ID != "" {
			list = append(list, c.ref)
		}
	}
	return list
}

// clone returns a copy of a document whose items can be changed.
func (l *layout) clone(doc reflect.Value) reflect.Value {
	own := reflect.New(l.typ).Elem()
	own.Set(doc)
	for _, p := range l.parts {
		if p.isRoot {
			continue
		}
		own.Field(p.index).SetZero()
		if p.many && !doc.Field(p.index).IsNil() {
			own.Field(p.index).Set(reflect.MakeSlice(doc.Field(p.index).Type(), 0, doc.Field(p.index).Len()))
		}
		for _, e := range p.items(doc) {
			fresh := reflect.New(p.plan.Type)
			fresh.Elem().Set(e.Elem())
			p.add(own, fresh)
		}
	}
	return own
}

// snapshotOf returns the state of a document; nil for a new one.
func (l *layout) snapshotOf(doc reflect.Value) *snapshot {
	s, _ := doc.Field(l.state).Addr().Interface().(*State)
	return s.at
}

func (l *layout) setSnapshot(doc reflect.Value, at *snapshot) {
	s, _ := doc.Field(l.state).Addr().Interface().(*State)
	s.at = at
}
