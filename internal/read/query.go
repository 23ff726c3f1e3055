package read

import (
	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/expr"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/keys"
)

// Query is what a read is planned from. It is a value: builders change copies of it.
type Query struct {
	Plan       *core.Plan
	Access     string // the access pattern's name; empty: the table
	Example    codec.Ptr
	Where      expr.Conds
	Filter     []Filter
	Fields     []*codec.Field // what is wanted of each entity; nil: all of it
	Strong     bool
	Desc       bool  // from the end of the sort key
	Scan       bool  // of the whole index, which has no projections
	Count      bool  // how many there are, and nothing of them
	Collection bool  // every type's items of the partition
	Part       *Part // of a collection: which part of it; nil: all
}

// Filter is a condition on what was read, in terms of one type's attributes.
type Filter struct {
	Plan *core.Plan
	Cond *expr.Cond
}

// Part is a part of an item collection, by the text of its sort key. The zero value is all of it. It does not change once a query has it.
type Part struct {
	Types    []*core.Plan // items of these types only; nil: of all
	Prefix   string
	From, To string // both included
	Narrowed bool   // by Prefix, or else by From and To
	Err      error  // why it cannot be used
}

// Plan is a read, ready to be sent. Its partitions are an ordered list: results come in its order.
type Plan struct {
	Name       string // the verb, for errors and the observer
	Entity     *core.Plan
	Access     string
	Index      *core.Index // nil: the table
	Filter     string
	Projection string
	Strong     bool
	Desc       bool
	Counts     bool // the service counts, and sends no items
	Mixed      bool // items of every type are wanted, or of those of Only
	Filtered   bool // by conditions of the caller's
	Shared     bool // other types share the key, and are dropped: by the filter, or after they have come
	Vague      bool // nor does the key that is read by say of which type an item is

	Only     []*core.Plan     // the types that are wanted, where the keys do not say it; none: no others come, or all are wanted
	Position []core.Attribute // what the place of an item in this read is made of: the index's key and the table's

	one  Partition // the first partition: nearly always the only one
	more []Partition
}

// Parts is how many partitions the read has.
func (p *Plan) Parts() int { return 1 + len(p.more) }

// Part is one of the partitions.
func (p *Plan) Part(i int) *Partition {
	if i == 0 {
		return &p.one
	}
	return &p.more[i-1]
}

// Partition is the part of a read that one partition serves.
type Partition struct {
	KeyCondition string
	Names        map[string]string
	Values       op.Item
	Empty        bool // no key can match: nothing needs to be sent

	ranges expr.Few[keyRange] // of the key's attributes, as far as they are bounded
}

// keyRange is what a key attribute can hold in a read.
type keyRange struct {
	attribute *core.Attribute
	of        keys.Range
}

// From is the first partition from one on that a key can match in: as many as there are, where there is none.
func (p *Plan) From(partition int) int {
	for partition < p.Parts() && p.Part(partition).Empty {
		partition++
	}
	return partition
}

// Compile plans a query into a plan of the caller's. Everything that is wrong with it is said at once.
func (q *Query) Compile(p *Plan) error {
	target, err := q.target()
	if err != nil {
		return err
	}
	*p = Plan{
		Name: "query", Entity: q.Plan, Access: q.Access, Index: target.index, Strong: q.Strong, Desc: q.Desc, Mixed: q.Collection,
		Position: target.position(q.Plan.Schema),
	}
	c := compiler{query: *q, target: target, schema: q.Plan.Schema}
	return c.compile(p)
}
