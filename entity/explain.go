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

// Explanation is what a call would do and about what it would cost: a plan, read aloud. Nothing is sent for it, and it shows no value: an operand
// is a "?". [Op.Explain] gives it of a verb, package query of its reads.
type Explanation struct {
	Operation  string   // "query", "put", …
	Entity     string   // type name; empty where an operation is about several
	Table      string   // the table's name
	Access     string   // access pattern; empty: the table's own key
	Index      string   // of a read: what it reads; empty: the table
	Key        string   // the key by its templates, or the key condition
	Condition  string   // of a write: what must hold of the stored item
	Update     string   // of an update: what it does
	Filter     string   // of a read: what is asked of items after they are read and paid for
	Projection string   // the attributes that are sent; empty: all
	Strong     bool     // the read is strongly consistent, at twice the units
	Descending bool     // the read begins at the end of the sort key
	Bounds     string   // of a read of many: where it ends, such as "Limit 25, MaxRequests 3"
	ReadsFirst bool     // of a write: it reads the item first, strongly consistent, and is planned from that
	Indexes    []string // of a write: the indexes that it writes too, and how, such as "GSI1 (an entry moved)"

	// Units are about what it costs, if all is as Assumed. A put and a create are taken to meet no earlier item, an overwrite one with the same
	// index keys: an entry of other keys is taken away besides, at its size. An update, an upsert and a delete are taken to meet an item that is on
	// every index that its type can be on. What is repeated, or met by other writers, costs more.
	Units   Capacity
	Assumed Assumption // what Units rests on

	text string
}

// String is the explanation in lines, for people and for golden files.
func (e Explanation) String() string { return e.text }

// Assumption is what an estimate of capacity units rests on. A zero field is left to the library: items of 1,024 bytes, as many as the query
// wants, else as PageSize and MaxRequests let it pass, or 100; where a filter drops items of a Limit, 100 at the least; one where the key tells the
// item. No more items are assumed than a Limit or a budget lets pass. A put, a create or an overwrite is estimated of the item itself.
type Assumption struct {
	Items     int  // that a read passes, those included that a filter drops
	ItemSize  int  // bytes of each, names and values; of a read on an index, of what that holds
	EntrySize int  // of a write: bytes of its entry on an index that does not hold everything; zero: 1,024, or ItemSize where that is less
	Exact     bool // set by the library: the size is that of the item at hand
}

func explanation(r explain.Report) Explanation {
	return Explanation{
		Operation: r.Operation, Entity: r.Entity, Table: r.Table, Access: r.Access, Index: r.Index, Key: r.Key, Condition: r.Condition,
		Update: r.Update, Filter: r.Filter, Projection: r.Projection, Strong: r.Strong, Descending: r.Descending, Bounds: r.Bounds,
		ReadsFirst: r.ReadsFirst, Indexes: r.Writes,
		Units: Capacity(r.Units), Assumed: Assumption(r.Assumed), text: r.String(),
	}
}

// ExplainMany says what [Reader.GetMany] would do and cost. Each item costs what Get costs, and one that is asked for again nothing more: the number of
// items that is assumed is that of the examples. At most one assumption is heeded.
func (r *Reader[T]) ExplainMany(examples []T, assume ...Assumption) (Explanation, error) {
	return (*repo)(r).explainMany(examples, assume)
}

//go:noinline
func (r *repo) explainMany(examples any, assume []Assumption) (Explanation, error) {
	at := r.parts()
	return explainMany(at.v, at.d, reflect.ValueOf(examples), projected{}, firstOf(assume))
}

// Explain says what [Projection.Get] would do and cost: what reading the whole item costs. At most one assumption is heeded.
func (p Projection[T, P]) Explain(from Source[T], example T, assume ...Assumption) (Explanation, error) {
	v, o, err := p.plan(from, &example)
	if err != nil {
		return Explanation{}, v.refused("get", p.d, err)
	}
	return explanation(explain.Get(&o.Primary, v.env.Table, explain.Assumption(firstOf(assume)))), nil
}

// ExplainMany says what [Projection.GetMany] would do and cost, like [Reader.ExplainMany].
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

// placeholderItem is an item in place of one that would be read: it is on every index, with what the entity gives and with anything else where
// that gives nothing. None of its values is shown. It is nil where there is no telling what the keys would take.
func placeholderItem(d *definition, entity any) op.Item {
	whole := d.copied(reflect.ValueOf(entity).Elem())
	at, version := codec.PtrOf(whole), d.plan.Version
	for _, x := range d.plan.Indexes {
		for a := range x.Key.Sides() {
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
	if version != nil && !version.IsZero(at) { // the put advances it
		item[version.Name], err = version.Encode(at)
	}
	if err != nil {
		return nil
	}
	return item
}

// standIn is a value of a kind.
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
