package read

import (
	"slices"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/expr"
	"github.com/trestledb/trestle/internal/fail"
	"github.com/trestledb/trestle/internal/op"
)

// Query is what a read is planned from. It is a value: builders change copies of it.
type Query struct {
	Plan       *core.Plan
	Access     string // the access pattern's name; empty: the table
	Example    codec.Ptr
	Where      []*expr.Cond
	Strong     bool
	Collection bool // every type's items of the partition
}

// Plan is a read, ready to be sent. Partitions is an ordered list: results come in its order.
type Plan struct {
	Name       string // the verb, for errors and the observer
	Entity     *core.Plan
	Access     string
	Index      *core.Index // nil: the table
	Partitions []Partition
	Filter     string
	Strong     bool
	Mixed      bool // items of every type are wanted
}

// Partition is the part of a read that one partition serves.
type Partition struct {
	KeyCondition string
	Names        map[string]string
	Values       op.Item
	Empty        bool // no key can match: nothing needs to be sent
}

// Compile plans a query. Everything that is wrong with it is said at once.
func (q Query) Compile() (*Plan, error) {
	target, err := q.target()
	if err != nil {
		return nil, err
	}
	p := &Plan{Name: "query", Entity: q.Plan, Access: q.Access, Index: target.index, Strong: q.Strong, Mixed: q.Collection}
	c := compiler{query: q, target: target, b: expr.NewBuilder()}
	if err := c.compile(p); err != nil {
		return nil, err
	}
	return p, nil
}

// target is what a query reads: the table, or one index.
type target struct {
	key    core.Key
	index  *core.Index
	shared bool
}

func (q Query) target() (target, error) {
	if q.Access == "" {
		return target{key: q.Plan.Table, shared: q.Plan.Shared}, nil
	}
	for _, a := range q.Plan.Access {
		if a.Name != q.Access {
			continue
		}
		t := target{key: a.On.Key, index: a.On.Index, shared: a.Shared}
		switch {
		case q.Strong && !t.index.Local:
			return t, fail.Refuse("", "a global index is always read eventually consistent", "read the table, or drop Strong")
		case q.Collection && !t.index.All():
			return t, fail.Refuse("", "index "+t.index.Name+" does not hold all attributes of every type", "project all of them")
		case !holds(t.index, q.Plan):
			return t, fail.Refuse("", "index "+t.index.Name+" does not hold all attributes of "+q.Plan.Name, "project all of them")
		}
		return t, nil
	}
	return target{}, fail.Refuse("", q.Plan.Name+" declares no access pattern of that name", "it has "+accessNames(q.Plan))
}

// holds reports whether an index projects everything that items of the type are decoded from. It always has the keys, the table's and its own.
func holds(x *core.Index, p *core.Plan) bool {
	if x.All() {
		return true
	}
	for _, f := range p.Shape.Fields() {
		if !f.KeyOnly && f != p.Rest && !projected(x, p.Schema, f.Name) {
			return false
		}
	}
	t := p.Schema.TypeAttr
	return p.Rest == nil && (t == "" || projected(x, p.Schema, t))
}

func projected(x *core.Index, s *core.Schema, attribute string) bool {
	is := func(a core.Attribute) bool { return a.Name == attribute }
	return attribute == s.Partition.Name || attribute == s.Sort.Name || slices.Contains(x.Include, attribute) ||
		slices.ContainsFunc(x.Partition, is) || slices.ContainsFunc(x.Sort, is)
}

// IndexName is the index that the query reads; empty where it is the table, or none.
func (q Query) IndexName() string {
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
	text := ""
	for i, a := range p.Access {
		if i > 0 {
			text += ", "
		}
		text += a.Name
	}
	return text
}
