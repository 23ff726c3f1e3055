package entity

import (
	"reflect"
	"time"

	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/explain"
	"github.com/trestledb/trestle/internal/fetch"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/internal/write"
	"github.com/trestledb/trestle/keys"
)

// Explanation is what a call would do and about what it would cost: a plan, read aloud. Nothing is sent for it, and it shows no value: an operand
// is a "?". [Repo.Explain] gives it of a repository's verbs, package query of its reads.
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

// Explain says what [Reader.Get] would do and cost. At most one assumption is heeded.
func (r Reader[T]) Explain(example T, assume ...Assumption) (Explanation, error) {
	return explainGet(r.v, r.t.definition(), codec.PtrTo(&example), assume)
}

// ExplainMany says what [Reader.GetMany] would do and cost. Each item costs what Get costs, and one that is asked for again nothing more: the number of
// items that is assumed is that of the examples. At most one assumption is heeded.
func (r Reader[T]) ExplainMany(examples []T, assume ...Assumption) (Explanation, error) {
	return explainMany(r.v, r.t.definition(), examples, projected{}, firstOf(assume))
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
	return explainMany(v, p.d, examples, *p.p, firstOf(assume))
}

func explainMany[T any](v *view, d *definition, examples []T, part projected, assume Assumption) (Explanation, error) {
	wishes, err := planMany(v, d, len(examples), func(i int) codec.Ptr { return codec.PtrTo(&examples[i]) })
	if err != nil {
		return Explanation{}, v.refused("get many", d, err)
	}
	b := explain.Batch{Plan: d.plan, Table: v.env.Table, Projection: part.expression, Names: part.names}
	b.Items, b.Strong = fetch.Distinct(wishes)
	return explanation(explain.Many(b, explain.Assumption(assume))), nil
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

// GetMany explains [Repo.GetMany], like [Reader.ExplainMany].
func (x Explainer[T]) GetMany(examples []T) (Explanation, error) {
	return explainMany(x.r.v, x.r.definition(), examples, projected{}, x.assume)
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

// Put explains [Repo.Put]. It is taken to meet no earlier item: see [Explanation.Units]. One with the same index keys costs as much, and less where it has
// the same attributes on an index, which is not written then.
func (x Explainer[T]) Put(e *T, conds ...attr.Cond[T]) (Explanation, error) {
	return x.put("put", write.Put, e, trees(conds))
}

// Overwrite explains [Repo.Overwrite], of a versioned type with the read that it begins with.
func (x Explainer[T]) Overwrite(e *T, conds ...attr.Cond[T]) (Explanation, error) {
	o, err := x.r.planPut("overwrite", write.Overwrite, e, trees(conds))
	if err != nil {
		return Explanation{}, err
	}
	return x.explain("overwrite", &o, e)
}

func (x Explainer[T]) put(verb string, plan planPut, e *T, conds []any) (Explanation, error) {
	o, err := x.r.planPut(verb, plan, e, conds)
	if err != nil {
		return Explanation{}, err
	}
	return x.explain(verb, &o, e)
}

// Update explains [Repo.Update], with the read where one is needed and allowed ([ReadFirst]).
func (x Explainer[T]) Update(example T, change attr.Change[T], more ...attr.Change[T]) (Explanation, error) {
	return x.update("update", false, example, changes(change, more))
}

// Upsert explains [Repo.Upsert], with the read where one is needed and allowed ([ReadFirst]).
func (x Explainer[T]) Upsert(example T, change attr.Change[T], more ...attr.Change[T]) (Explanation, error) {
	return x.update("upsert", true, example, changes(change, more))
}

func (x Explainer[T]) update(verb string, upsert bool, example T, changes []any) (Explanation, error) {
	v, d := x.r.v, x.r.definition()
	o, err := planUpdateItem(v, d, upsert, codec.PtrTo(&example), changes, op.AllNew)
	if err != nil {
		return Explanation{}, v.refused(verb, d, err)
	}
	return x.explain(verb, &o, &example)
}

// Delete explains [Repo.Delete].
func (x Explainer[T]) Delete(example T, conds ...attr.Cond[T]) (Explanation, error) {
	o, err := x.r.planDelete(example, conds)
	if err != nil {
		return Explanation{}, err
	}
	return x.explain("delete", &o, &example)
}

func (x Explainer[T]) explain(verb string, o *op.Operation, e *T) (Explanation, error) {
	v, d, a := x.r.v, x.r.definition(), explain.Assumption(x.assume)
	if o.PreRead == nil {
		return explanation(explain.Write(verb, &o.Primary, v.env.Table, a)), nil
	}
	act, err := o.PreRead.Plan(stoodIn(d, *e))
	if err != nil {
		return Explanation{}, v.refused(verb, d, err)
	}
	return explanation(explain.WriteAfterRead(verb, &act, v.env.Table, a)), nil
}

// stoodIn is an item in place of one that would be read: it is on every index, with what the entity gives and with anything else where that gives
// nothing. None of its values is shown. It is nil where there is no telling what the keys would take.
func stoodIn[T any](d *definition, e T) op.Item {
	whole, at, version := reflect.ValueOf(&e).Elem(), codec.PtrTo(&e), d.plan.Version
	unshare(d, whole)
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
