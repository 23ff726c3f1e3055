package entity

import (
	"reflect"
	"time"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/explain"
	"github.com/trestledb/trestle/internal/fetch"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/internal/write"
	"github.com/trestledb/trestle/keys"
)

// Explanation describes what a call would send and its estimated cost. Explaining sends nothing. No
// value is shown: an operand is a "?". [Op.Explain] explains a verb; package query explains its
// reads.
type Explanation struct {
	Operation  string // "query", "put", …
	Entity     string // type name; empty for an operation on several types
	Table      string // the table's name
	Access     string // access pattern; empty for the table's own key
	Index      string // of a read: the index; empty for the table
	Key        string // the key by its templates, or the key condition
	Condition  string // of a write: the condition expression
	Update     string // of an update: the update expression
	Filter     string // of a read: the filter; dropped items still cost read units
	Projection string // the returned attributes; empty for all
	Strong     bool   // the read is strongly consistent, at twice the units
	Descending bool   // the read starts at the end of the sort key
	Bounds     string // of a query or a scan: its limits, such as "Limit 25, MaxRequests 3"
	// ReadsFirst reports whether a write first reads the item, strongly consistent, and is planned
	// from that item.
	ReadsFirst bool
	// Indexes lists the indexes that a write changes, and how, such as "GSI1 (an entry moved)".
	Indexes []string

	// Units estimates the cost under the assumptions in Assumed. A put and a create are assumed to
	// find no earlier item. An overwrite is assumed to find one with the same index keys; an entry
	// with other keys is deleted at the additional cost of its size. An update, an upsert and a
	// delete are assumed to find an item that is on every index of its type. Retries and conflicts
	// with other writers cost more.
	Units   Capacity
	Assumed Assumption // the assumptions of Units

	text string
}

// String returns the explanation as lines of text, for people and for golden files.
func (e Explanation) String() string { return e.text }

// Assumption is the basis of an estimate of capacity units. The library replaces zero fields.
//
// The default size is 1,024 bytes. The default number of items is the number that the query limits
// itself to, else the number that PageSize and MaxRequests allow, else 100. If a filter drops items
// of a Limit, it is at least 100. If the key identifies the item, it is 1. A Limit or a budget also
// limits the assumed number. A put, a create or an overwrite is estimated from the item itself.
type Assumption struct {
	Items    int // read items, including those that a filter drops
	ItemSize int // bytes per item, names and values; on an index, of the projected item
	// EntrySize is the size in bytes of an index entry that a write changes, for indexes that do
	// not project all attributes; zero: 1,024, or ItemSize if that is less.
	EntrySize int
	Exact     bool // set by the library: the size is that of the given item
}

func explanation(r explain.Report) Explanation {
	return Explanation{
		Operation: r.Operation, Entity: r.Entity, Table: r.Table, Access: r.Access, Index: r.Index, Key: r.Key, Condition: r.Condition,
		Update: r.Update, Filter: r.Filter, Projection: r.Projection, Strong: r.Strong, Descending: r.Descending, Bounds: r.Bounds,
		ReadsFirst: r.ReadsFirst, Indexes: r.Writes,
		Units: Capacity(r.Units), Assumed: Assumption(r.Assumed), text: r.String(),
	}
}

// ExplainMany explains [Reader.GetMany] without sending it. Each distinct item costs what Get
// costs. The number of examples replaces the assumed number of items. Only the first assumption
// counts.
func (r *Reader[T]) ExplainMany(examples []T, assume ...Assumption) (Explanation, error) {
	return (*repo)(r).explainMany(examples, assume)
}

//go:noinline
func (r *repo) explainMany(examples any, assume []Assumption) (Explanation, error) {
	at := r.parts()
	return explainMany(at.v, at.d, reflect.ValueOf(examples), projected{}, firstOf(assume))
}

// Explain explains [Projection.Get] without sending it. The cost is that of reading the whole item.
// Only the first assumption counts.
func (p Projection[T, P]) Explain(from Source[T], example T, assume ...Assumption) (Explanation, error) {
	v, o, err := p.plan(from, &example)
	if err != nil {
		return Explanation{}, v.refused("get", p.d, err)
	}
	return explanation(explain.Get(&o.Primary, v.env.Table, explain.Assumption(firstOf(assume)))), nil
}

// ExplainMany explains [Projection.GetMany], like [Reader.ExplainMany].
func (p Projection[T, P]) ExplainMany(from Source[T], examples []T, assume ...Assumption) (Explanation, error) {
	v, err := p.open(from)
	if err != nil {
		return Explanation{}, v.refused("get many", p.d, err)
	}
	return explainMany(v, p.d, reflect.ValueOf(examples), *p.p, firstOf(assume))
}

func explainMany(v *view, d *definition, examples reflect.Value, part projected, assume Assumption) (Explanation, error) {
	wishes, err := planMany(v, d, examples)
	if err != nil {
		return Explanation{}, v.refused(manyVerb, d, err)
	}
	b := explain.Batch{Plan: d.plan, Table: v.env.Table, Projection: part.expression, Names: part.names}
	b.Items, b.Strong = fetch.Distinct(wishes)
	return explanation(explain.Many(b, explain.Assumption(assume))), nil
}

func firstOf(assume []Assumption) Assumption {
	if len(assume) == 0 {
		return Assumption{}
	}
	return assume[0]
}

// placeholderItem returns a made-up item to explain a write that first reads the item. The item is
// on every index. Its key fields have the values of the entity, or arbitrary values where the
// entity has none. No value is shown. placeholderItem returns nil if it cannot find values that the
// keys accept.
func placeholderItem(d *definition, entity any) op.Item {
	whole := d.copied(reflect.ValueOf(entity).Elem())
	at, version := codec.PtrOf(whole), d.plan.Version
	for _, x := range d.plan.Indexes {
		for a := range x.Key.Attributes() {
			for i, m := range a.Members {
				if m.IsZero(at) {
					unshareWay(whole, m.Index[:len(m.Index)-1])
					_ = m.SetKey(standIn(a.Template.Fields()[i].Kind), at)
				}
			}
		}
	}
	o, _, err := write.Put(write.PutArgs{Plan: d.plan, Entity: at})
	if err != nil {
		return nil
	}
	item := o.Primary.Item
	if version != nil && !version.IsZero(at) { // the put increments it
		item[version.Name], err = version.Encode(at)
	}
	if err != nil {
		return nil
	}
	return item
}

// standIn returns an arbitrary value of a kind.
func standIn(k keys.Kind) keys.Value {
	switch k {
	case keys.KindInt:
		return keys.Int(1)
	case keys.KindUint:
		return keys.Uint(1)
	case keys.KindFloat:
		return keys.Float(1)
	case keys.KindTime:
		return keys.Time(time.Unix(1, 0))
	case keys.KindBool:
		return keys.Bool(true)
	case keys.KindBytes:
		return keys.Bytes([]byte{1})
	default:
		return keys.Text("1")
	}
}
