package read

import (
	"slices"
	"strings"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
)

// target is the table or index that a query reads.
type target struct {
	key    core.Key
	index  *core.Index // nil: the table
	shared bool
}

func (q *Query) target() (target, error) {
	if q.Access == "" {
		return target{key: q.Plan.Table, shared: q.Plan.Shared}, nil
	}
	for _, a := range q.Plan.Access {
		if a.Name != q.Access {
			continue
		}
		t := target{key: a.On.Key, index: a.On.Index, shared: a.Shared}
		return t, t.check(q)
	}
	return target{}, errs.New("", q.Plan.Name+" has no access pattern of that name", "it has "+accessNames(q.Plan))
}

// check returns an error if the index cannot serve the query.
func (t target) check(q *Query) error {
	switch {
	case q.Strong && !t.index.StrongReads():
		return errs.New("", "a global index has no strongly consistent reads", "read the table, or leave Strong out")
	case q.Plan.Schema.TypeAttr != "" && t.shared && q.Plan.Shared && !q.Collection && !t.index.Projects(q.Plan.Schema, q.Plan.Schema.TypeAttr):
		return errs.New("", "index "+t.index.Name+" does not project "+q.Plan.Schema.TypeAttr+", and types share its key and the table's", "add it to the projection")
	case q.Count:
		return nil
	case q.Collection && !t.index.All():
		return errs.New("", "index "+t.index.Name+" does not project all attributes of every type", "project all attributes")
	case !t.hasAll(q) && q.scans():
		return errs.New("", "index "+t.index.Name+" does not project all attributes of "+q.Plan.Name, "add them to the projection, or scan the table")
	case !t.hasAll(q):
		return errs.New("", "index "+t.index.Name+" does not project all requested attributes of "+q.Plan.Name, "add them to the projection, or read a smaller struct with query.As")
	}
	return nil
}

// hasAll reports whether the target has all attributes that are needed to decode the wanted fields.
func (t target) hasAll(q *Query) bool {
	x, p := t.index, q.Plan
	if x == nil || x.All() {
		return true
	}
	fields := q.Fields
	if fields == nil {
		fields = p.Shape.Fields()
	}
	for _, f := range fields {
		if f == p.Rest || !slices.ContainsFunc(p.StoredIn(f), func(name string) bool { return x.Projects(p.Schema, name) }) {
			return false
		}
	}
	// A projection needs no type attribute, because the keys identify the type.
	typeAttr := p.Schema.TypeAttr
	return typeAttr == "" || q.Fields != nil || x.Projects(p.Schema, typeAttr)
}

// position returns the attributes of an item's position.
func (t target) position(s *core.Schema) []core.Attribute {
	if t.index != nil {
		return t.index.Position
	}
	return s.Position
}

// IndexName returns the name of the index that the query reads. It is empty for the table or an
// unknown access pattern.
func (q *Query) IndexName() string {
	for _, a := range q.Plan.Access {
		if a.Name == q.Access {
			return a.On.Index.Name
		}
	}
	return ""
}

func accessNames(p *core.Plan) string {
	if len(p.Access) == 0 {
		return "none: declare one with entity.Index"
	}
	names := make([]string, len(p.Access))
	for i, a := range p.Access {
		names[i] = a.Name
	}
	return strings.Join(names, ", ")
}

// projected lists the attributes to project: those of the fields, the type attribute, and those of
// the item's position.
func (t target) projected(p *core.Plan, fields []*codec.Field, position []core.Attribute) []string {
	var names []string
	add := func(name string) {
		held := t.index == nil || t.index.Projects(p.Schema, name)
		if name != "" && held && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for _, a := range position {
		add(a.Name)
	}
	add(p.Schema.TypeAttr)
	for _, f := range fields {
		for _, name := range p.StoredIn(f) {
			add(name)
		}
	}
	return names
}
