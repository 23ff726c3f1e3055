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
	fetch  bool // the query reads the whole items of the index's entries
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
		t.fetch = t.fetches(q) || q.Fetch && !q.Count && t.typeIsLost(q)
		return t, t.check(q)
	}
	return target{}, errs.New("", q.Plan.Name+" has no access pattern of that name", "it has "+accessNames(q.Plan))
}

// check returns an error if the index cannot serve the query.
func (t target) check(q *Query) error {
	lacks := func(what, hint string) error {
		return errs.New("", "index "+t.index.Name+" does not project "+what, t.lackHint(q, hint))
	}
	switch {
	case t.fetch:
		return nil
	case q.Strong && !t.index.StrongReads():
		return errs.New("", "a global index has no strongly consistent reads", "read the table, or leave Strong out")
	case t.typeIsLost(q):
		return lacks(q.Plan.Schema.TypeAttr+", and types share its key and the table's", "add it to the projection")
	case q.Count:
		return nil
	case q.Collection && !t.index.All():
		return lacks("all attributes of every type", "project all attributes")
	case !t.hasAll(q) && q.scans():
		return lacks("all attributes of "+q.Plan.Name, "add them to the projection, or scan the table")
	case !t.hasAll(q):
		return lacks("all requested attributes of "+q.Plan.Name, "read a smaller struct with query.As, or add them to the projection")
	}
	return nil
}

// typeIsLost reports whether neither the keys nor the entries of the index tell the types apart
// that share them.
func (t target) typeIsLost(q *Query) bool {
	attribute := q.Plan.Schema.TypeAttr
	return attribute != "" && t.shared && q.Plan.Shared && !q.Collection && !t.index.Projects(q.Plan.Schema, attribute)
}

// lackHint returns the hint for attributes that the index does not project. Fetch reads them, but
// not for a scan or a count.
func (t target) lackHint(q *Query, otherwise string) string {
	switch {
	case q.scans():
		return otherwise
	case q.Count:
		return "count the results of Collect or Page with Fetch, because Count does not fetch, or " + otherwise
	}
	return "read the whole items with Fetch, or " + otherwise
}

// hasAll reports whether the target has all attributes that are needed to decode the wanted fields.
func (t target) hasAll(q *Query) bool { return t.index == nil || t.index.HoldsAll(q.Plan, q.Fields) }

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
