package read

import (
	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/expr"
	"github.com/trestledb/trestle/internal/keyspace"
	"github.com/trestledb/trestle/internal/op"
)

// Query describes a read to be planned. It is a value: builders change copies of it.
type Query struct {
	Plan       *core.Plan
	Access     string // name of the access pattern; empty: the table
	Example    codec.Ptr
	Where      expr.Conds
	Filter     []Filter
	Fields     []*codec.Field // fields to read of each entity; nil: all
	Strong     bool
	Desc       bool  // descending order of the sort key
	Scan       bool  // reads the whole index, without a projection
	Count      bool  // only counts the items
	Collection bool  // items of every type in the partition
	Part       *Part // the part of a collection; nil: all
}

// Filter is a filter condition on the attributes of one type.
type Filter struct {
	Plan *core.Plan
	Cond *expr.Cond
}

// Part is a range of an item collection, by the text of its sort key. The zero value is the whole
// collection. A Part is immutable once a query uses it.
type Part struct {
	Types    []*core.Plan // only items of these types; nil: all types
	Prefix   string
	From, To string // inclusive
	Narrowed bool   // by Prefix, or else by From and To
	Err      error  // reported when the query is compiled
}

// Plan is a compiled read. It returns the results of its partitions in order.
type Plan struct {
	Name       string // the operation, for errors and the observer
	Entity     *core.Plan
	Access     string
	Index      *core.Index // nil: the table
	Filter     string
	Projection string
	Strong     bool
	Desc       bool
	Counts     bool // DynamoDB counts and sends no items
	Mixed      bool // returns items of every type, or of the types in Only
	// Filtered is set if the caller's filters, or the types of a collection, drop items.
	Filtered bool
	Shared   bool // other types share the key; the filter or the client drops their items
	Vague    bool // the key that is read by does not identify the type of an item

	// Only lists the wanted types if the keys do not identify the type. It is empty if the read
	// matches no other types, or if all types are wanted.
	Only []*core.Plan
	// Position lists the attributes of an item's position: the keys of the index and the table.
	Position []core.Attribute

	one  Partition // the first partition, nearly always the only one
	more []Partition
}

// Parts returns the number of partitions.
func (p *Plan) Parts() int { return 1 + len(p.more) }

// Part returns the partition with index i.
func (p *Plan) Part(i int) *Partition {
	if i == 0 {
		return &p.one
	}
	return &p.more[i-1]
}

// Partition is the part of a read in one partition.
type Partition struct {
	KeyCondition string
	Names        map[string]string
	Values       op.Item
	Empty        bool // no key can match, so that no request is needed

	ranges expr.Few[keyRange] // bounds of the key attributes
}

// keyRange is the range of a key attribute in a read.
type keyRange struct {
	attribute *core.Attribute
	of        keyspace.Range
}

// From returns the index of the first partition, from partition on, in which a key can match. It
// returns Parts() if there is none.
func (p *Plan) From(partition int) int {
	for partition < p.Parts() && p.Part(partition).Empty {
		partition++
	}
	return partition
}

// Compile compiles the query into p. It reports all problems at once.
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
