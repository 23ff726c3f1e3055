package entity

import (
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/explain"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/internal/write"
)

// Explanation is what a call would do and about what it would cost: a plan, read aloud. Nothing is sent for it, and it shows no value: an operand
// is a "?". [Repo.Explain] gives it of the verbs on one item, package query of its reads.
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
	Indexes    []string // of a write: the indexes that it writes too, and how

	Units   Capacity   // about what it costs, if all is as Assumed
	Assumed Assumption // what Units rests on

	text string
}

// String is the explanation in lines, for people and for golden files.
func (e Explanation) String() string { return e.text }

// Assumption is what an estimate of capacity units rests on. A zero field is left to the library: items of 1,024 bytes, and as many as the query
// wants, or 100; where a filter drops items, 100 at the least. A put or a create is estimated of the item itself.
type Assumption struct {
	Items     int  // that a read passes, those included that a filter drops
	ItemSize  int  // bytes of each, names and values; of a read on an index, of what that holds
	EntrySize int  // of a write: bytes of its entry on an index that does not hold everything; zero: 1,024, or ItemSize where that is less
	Exact     bool // set by the library: the size is that of the item at hand
}

func explanation(r explain.Report) Explanation {
	return Explanation{
		Operation: r.Operation, Entity: r.Entity, Table: r.Table, Access: r.Access, Index: r.Index, Key: r.Key, Condition: r.Condition,
		Update: r.Update, Filter: r.Filter, Projection: r.Projection, Strong: r.Strong, Descending: r.Descending, Indexes: r.Writes,
		Units: Capacity(r.Units), Assumed: Assumption(r.Assumed), text: r.String(),
	}
}

// Explain says what [Reader.Get] would do and cost. At most one assumption is heeded.
func (r Reader[T]) Explain(example T, assume ...Assumption) (Explanation, error) {
	return explainGet(r.v, r.t.definition(), codec.PtrTo(&example), assume)
}

// Explainer explains the verbs of a repository; [Repo.Explain] makes it. Whatever the verbs refuse is refused here.
type Explainer[T any] struct {
	r      Repo[T]
	assume Assumption
}

// Explain says of the repository's verbs what they would do and cost. At most one assumption is heeded.
func (r Repo[T]) Explain(assume ...Assumption) Explainer[T] {
	return Explainer[T]{r: r, assume: firstOf(assume)}
}

// Get explains [Reader.Get].
func (x Explainer[T]) Get(example T) (Explanation, error) {
	return explainGet(x.r.v, x.r.definition(), codec.PtrTo(&example), []Assumption{x.assume})
}

func explainGet(v *view, d *definition, example codec.Ptr, assume []Assumption) (Explanation, error) {
	o, err := planGetItem(v, d, example)
	if err != nil {
		return Explanation{}, v.refused("get", d, err)
	}
	return explanation(explain.Get(&o.Primary, v.env.Table, explain.Assumption(firstOf(assume)))), nil
}

func firstOf(assume []Assumption) Assumption {
	if len(assume) == 0 {
		return Assumption{}
	}
	return assume[0]
}

// Create explains [Repo.Create].
func (x Explainer[T]) Create(e *T) (Explanation, error) {
	return x.put("create", write.Create, e, nil)
}

// Put explains [Repo.Put].
func (x Explainer[T]) Put(e *T, conds ...attr.Cond[T]) (Explanation, error) {
	return x.put("put", write.Put, e, trees(conds))
}

func (x Explainer[T]) put(verb string, plan planPut, e *T, conds []any) (Explanation, error) {
	o, err := x.r.planPut(verb, plan, e, conds)
	return x.explain(verb, o, err)
}

// Update explains [Repo.Update].
func (x Explainer[T]) Update(example T, change attr.Change[T], more ...attr.Change[T]) (Explanation, error) {
	o, err := x.r.planUpdate("update", false, example, changes(change, more))
	return x.explain("update", o, err)
}

// Upsert explains [Repo.Upsert].
func (x Explainer[T]) Upsert(example T, change attr.Change[T], more ...attr.Change[T]) (Explanation, error) {
	o, err := x.r.planUpdate("upsert", true, example, changes(change, more))
	return x.explain("upsert", o, err)
}

// Delete explains [Repo.Delete].
func (x Explainer[T]) Delete(example T, conds ...attr.Cond[T]) (Explanation, error) {
	o, err := x.r.planDelete(example, conds)
	return x.explain("delete", o, err)
}

func (x Explainer[T]) explain(verb string, o op.Operation, err error) (Explanation, error) {
	if err != nil {
		return Explanation{}, err
	}
	return explanation(explain.Write(verb, &o.Primary, x.r.v.env.Table, explain.Assumption(x.assume))), nil
}
