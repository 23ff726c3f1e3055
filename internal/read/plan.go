package read

import (
	"slices"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/expr"
	"github.com/trestledb/trestle/internal/keyspace"
	"github.com/trestledb/trestle/internal/op"
)

// Query describes a query or a scan to be planned. It is a value: builders change copies of it.
type Query struct {
	Schema     *core.Schema
	Plan       *core.Plan // the type; nil: a scan of every type
	Access     string     // name of the access pattern; empty: the table
	Example    codec.Ptr
	Where      expr.Conds
	Filter     []Filter
	Fields     []*codec.Field // fields to read of each entity; nil: all
	Strong     bool
	Desc       bool        // descending order of the sort key
	Segments   int         // of a scan; 0: a query
	Count      bool        // only counts the items
	Checked    bool        // each index entry is checked on arrival, so DynamoDB must send them for a count, too
	Expiry     core.Expiry // drops expired items; zero: it returns them
	KeysOnly   bool        // reads the table's key and the type of each item
	Collection bool        // items of every type in the partition
	Subset     *Subset     // of a collection; nil: all
	Fetch      bool        // of an index: reads the whole items if the index lacks attributes
	Periods    int         // maximum number of periods that are partitions; 0: DefaultPeriods
}

// scans reports whether the read is a scan.
func (q *Query) scans() bool { return q.Segments > 0 }

// Filter is a filter condition on the attributes of one type.
type Filter struct {
	Plan *core.Plan
	Cond *expr.Cond
}

// Subset narrows an item collection, by type and by the text of its sort key. The zero value is the
// whole collection. A Subset is immutable once a query uses it.
type Subset struct {
	Types    []*core.Plan // only items of these types; nil: all types
	Prefix   string
	From, To string // inclusive
	Narrowed bool   // by Prefix, or else by From and To
}

// Plan is a compiled query or scan. It reads one or several streams: the partitions of a query, or
// the segments of a scan.
type Plan struct {
	Name       string // the operation, for errors and the observer
	Schema     *core.Schema
	Entity     *core.Plan // nil: a scan of every type
	Access     string
	Index      *core.Index // nil: the table
	Filter     string
	Projection string
	Strong     bool
	Desc       bool
	Segments   int  // of a scan; 0: a query
	Shards     int  // of a query: this many consecutive partitions are the shards of one; 1: none
	Counts     bool // DynamoDB counts and sends no items
	AllTypes   bool // returns items of every type, or of the types in Only
	// Filtered is set if the caller's filters, or the types of a collection, drop items.
	Filtered     bool
	HidesExpired bool // expired items are dropped: by the filter, if possible, and on arrival
	Shared       bool // other types share the key; the filter or the client drops their items
	ComparesKeys bool // items have all fields that the table's key is rendered from
	ChecksTTL    bool // returned items can have a time to live, which may be one that DynamoDB ignores

	// Only lists the wanted types if the keys do not identify the type. It is empty if the read
	// matches no other types, or if all types are wanted.
	Only []*core.Plan
	// Fetch describes how the items of an index's entries are read; nil: entries are returned.
	Fetch *Fetch
	// Moving are the placeholders of values that depend on the time.
	Moving []string
	// Position lists the attributes of an item's position: the keys of the index and the table.
	Position []core.Attribute

	one  Partition // the first partition, nearly always the only one; also the segments of a scan
	more []Partition
}

// SmallestPage is the number of items that a run which merges partitions reads of each one beyond
// its share of the wanted items.
const SmallestPage = 4

// Scans reports whether the plan is a scan.
func (p *Plan) Scans() bool { return p.Segments > 0 }

// Streams returns the number of partitions of a query, or of segments of a scan.
func (p *Plan) Streams() int {
	if p.Scans() {
		return p.Segments
	}
	return 1 + len(p.more)
}

// Partition returns what the requests of a stream say.
func (p *Plan) Partition(stream int) *Partition {
	if p.Scans() || stream == 0 {
		return &p.one
	}
	return &p.more[stream-1]
}

// Partition is the part of a read in one partition. The segments of a scan share one.
type Partition struct {
	KeyCondition string
	Names        map[string]string
	Values       op.Item
	Empty        bool // no key can match, so that no request is needed

	ranges   expr.SmallVec[keyRange] // bounds of the key attributes
	unsorted string                  // the key condition without that on the sort key
	// continues reports whether an item follows the position that the partition was narrowed to;
	// nil: it was not narrowed.
	continues func(core.Row) bool
}

// keyRange is the range of a key attribute in a read.
type keyRange struct {
	attribute *core.Attribute
	of        keyspace.Range
}

// Add adds the partitions of another query, which differs only in its partition key, as shards.
func (p *Plan) Add(other *Plan) {
	p.more = append(append(p.more, other.one), other.more...)
	p.Shards = p.Streams()
}

// Empty reports whether no stream can hold a matching item, so that the read sends nothing.
func (p *Plan) Empty() bool {
	for i := range p.Streams() {
		if !p.Partition(i).Empty {
			return false
		}
	}
	return true
}

// comparesKeys reports whether the query reads all fields that the table's key is rendered from.
func (q *Query) comparesKeys() bool {
	if q.Count || q.KeysOnly || q.Fields == nil || q.Plan == nil {
		return !q.Count && !q.KeysOnly
	}
	for a := range q.Plan.Table.Attributes() {
		for _, m := range a.Members {
			if !m.IsDerived() && !slices.Contains(q.Fields, m) {
				return false
			}
		}
	}
	return true
}

// Compile compiles the query into p. It reports all problems at once.
func (q *Query) Compile(p *Plan) error {
	target := target{}
	if q.Plan != nil {
		var err error
		if target, err = q.target(); err != nil {
			return err
		}
	}
	*p = Plan{
		Name: "query", Schema: q.Schema, Entity: q.Plan, Access: q.Access, Index: target.index, Strong: q.Strong && (target.index == nil || target.index.StrongReads()), Desc: q.Desc,
		AllTypes: q.Collection || q.Plan == nil, ComparesKeys: q.comparesKeys(), Segments: q.Segments, Position: target.position(q.Schema),
	}
	c := compiler{query: *q, target: target, schema: q.Schema, hides: q.hides()}
	if q.scans() {
		return c.scan(p)
	}
	return c.compile(p)
}
