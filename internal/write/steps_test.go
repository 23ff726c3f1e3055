package write

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/expr"
	"github.com/trestledb/trestle/internal/op"
)

// A step is one random call of a verb.
type step struct {
	verb      string
	readFirst bool
	asRead    bool          // the example is said to be the item as it was read
	entity    reflect.Value // a pointer: the entity, or the example
	version   int64         // that it carries
	changes   []alteration
	conds     []*expr.Cond
	asks      []demand // what the conditions ask
	illegal   bool     // the changes hold one that no update may make
}

func (s *step) puts() bool { return s.verb == "create" || s.verb == "put" || s.verb == "overwrite" }

func (s *step) updates() bool { return s.verb == "update" || s.verb == "upsert" }

// alteration is a change in a form that the model reads.
type alteration struct {
	verb  expr.Verb
	field *codec.Field
	value reflect.Value // of the field's type; a delta for Add
}

// String shows the shape of a step.
func (s *step) String() string {
	text := s.verb
	for _, a := range s.changes {
		text += fmt.Sprintf(" %s(%s)", a.verb, a.field.Name)
	}
	return fmt.Sprintf("%s, version %d, reading first %t, as read %t", text, s.version, s.readFirst, s.asRead)
}

// zerosGiven reports whether zeros of the example count as given.
func (s *step) zerosGiven() bool { return s.asRead || s.version != 0 && !s.readFirst }

// of finds the change of a field.
func (s *step) of(f *codec.Field) (alteration, bool) {
	for _, a := range s.changes {
		if a.field == f {
			return a, true
		}
	}
	return alteration{}, false
}

// demand is a condition in a form that the model reads: an attribute that must be so, or absent.
type demand struct {
	attribute string
	value     types.AttributeValue
}

// world is a random schema with its items.
type world struct {
	*campaign
	*compiled
	r     *rand.Rand
	store *store
	now   time.Time
	paths map[string]*core.Path
}

func (w *world) path(name string) *core.Path {
	if w.paths[name] == nil {
		w.paths[name] = &core.Path{Owner: w.plan.Type, Steps: []*core.Step{{Kind: core.StepName, Name: name}}}
	}
	return w.paths[name]
}

func (w *world) fieldOf(e reflect.Value, f *codec.Field) reflect.Value {
	return e.Elem().FieldByIndex(f.Index)
}

// draw gives a field one of its values; the first of them is zero, and parts of the table's key have few others.
func (w *world) draw(f *codec.Field, zero bool) reflect.Value {
	p, ok := w.part(f)
	switch {
	case !ok:
		return reflect.Zero(f.Node.Type)
	case w.plan.TableMember(f) && chance(w.r, 92):
		return reflect.ValueOf(p.values[1])
	case w.plan.TableMember(f):
		return reflect.ValueOf(p.values[1+w.r.IntN(min(2, len(p.values)-1))])
	case zero:
		return reflect.ValueOf(pick(w.r, p.values))
	default:
		return reflect.ValueOf(pick(w.r, p.values[1:]))
	}
}

// fresh makes an entity of which most fields are set.
func (w *world) fresh() reflect.Value {
	e := reflect.New(w.plan.Type)
	for _, f := range w.plan.Shape.Fields() {
		if f != w.plan.Version && f != w.plan.Rest && f != w.plan.Updated {
			w.fieldOf(e, f).Set(w.draw(f, chance(w.r, 30)))
		}
	}
	if f := w.plan.Rest; f != nil && chance(w.r, 50) {
		rest := map[string]types.AttributeValue{"extra": &types.AttributeValueMemberS{Value: "x"}}
		if chance(w.r, 30) {
			rest[pick(w.r, w.schema.KeyAttributes()).Name] = &types.AttributeValueMemberS{Value: "smuggled"}
		}
		w.fieldOf(e, f).Set(reflect.ValueOf(rest))
	}
	return e
}

// example names a key and tells some of the other fields, most of them truly; that of an upsert also tells what the item lacks.
func (w *world) example(verb string) reflect.Value {
	e := reflect.New(w.plan.Type)
	for _, f := range w.plan.Shape.Fields() {
		if w.plan.TableMember(f) {
			w.fieldOf(e, f).Set(w.draw(f, false))
		}
	}
	known := w.known(e)
	for _, f := range w.plan.Shape.Fields() {
		if w.plan.TableMember(f) || f == w.plan.Version || f == w.plan.Rest || !chance(w.r, 45) {
			continue
		}
		if known.IsValid() && chance(w.r, 85) && (verb != "upsert" || !w.fieldOf(known, f).IsZero()) {
			w.fieldOf(e, f).Set(w.fieldOf(known, f))
		} else {
			w.fieldOf(e, f).Set(w.draw(f, true))
		}
	}
	return e
}

// known is the item of the example's key, decoded.
func (w *world) known(example reflect.Value) reflect.Value {
	key, err := Key(w.plan, codec.PtrOf(example.Elem()))
	if err != nil {
		return reflect.Value{}
	}
	item := w.store.get(key)
	if item == nil {
		return reflect.Value{}
	}
	e := reflect.New(w.plan.Type)
	if w.plan.Decode(item, codec.PtrOf(e.Elem())) != nil {
		return reflect.Value{}
	}
	return e
}

// lose lets another program take the attribute of a plain number off an item, and off the indexes with it.
func (w *world) lose() error {
	keys := slices.Sorted(maps.Keys(w.store.items))
	numbers := slices.DeleteFunc(slices.Clone(w.plan.Shape.Fields()), func(f *codec.Field) bool {
		return f.KeyOnly || w.plan.TableMember(f) || !w.plan.IndexMember(f) || !f.ZeroIsValue()
	})
	if len(keys) == 0 || len(numbers) == 0 {
		return nil
	}
	f := pick(w.r, numbers)
	at := pick(w.r, keys)
	before := w.store.items[at]
	after := maps.Clone(before)
	delete(after, f.Name)
	want, _, err := w.rendered(after, w.keyOnly(before, &step{}))
	if err != nil {
		return err
	}
	for _, a := range w.plan.Attrs {
		if a.Rendered() {
			setOrDelete(after, a.Name, want[a.Name])
		}
	}
	w.store.items[at] = after
	return nil
}

var verbs = []string{
	"create", "put", "put", "put", "overwrite", "delete", "upsert", "upsert", "upsert",
	"update", "update", "update", "update", "update", "update", "update", "update", "update", "update", "update", "update",
}

// draws a step.
func (w *world) step() *step {
	s := &step{verb: pick(w.r, verbs), readFirst: chance(w.r, 45)}
	if s.puts() {
		s.entity = w.fresh()
	} else {
		s.entity = w.example(s.verb)
		w.drawAsRead(s)
	}
	if !s.asRead {
		w.drawVersion(s)
	}
	if s.updates() {
		w.drawChanges(s)
	}
	if s.verb != "create" && chance(w.r, 12) {
		w.drawCondition(s)
	}
	return s
}

// drawAsRead lets an update's example be the item as it is, now and then with a field that is not so.
func (w *world) drawAsRead(s *step) {
	known := w.known(s.entity)
	if !s.updates() || !known.IsValid() || !chance(w.r, 30) {
		return
	}
	s.asRead, s.entity = chance(w.r, 50) || w.plan.Version == nil, known
	if f := pick(w.r, w.plan.Shape.Fields()); chance(w.r, 20) && !w.plan.TableMember(f) && f != w.plan.Version && f != w.plan.Rest {
		w.fieldOf(s.entity, f).Set(w.draw(f, true))
	}
	s.version, _ = versionOf(w.plan, codec.PtrOf(s.entity.Elem()))
}

// drawVersion lets the step carry the version that is there, none, or a wrong one.
func (w *world) drawVersion(s *step) {
	f := w.plan.Version
	if f == nil || s.verb == "create" {
		return
	}
	if known := w.known(s.entity); known.IsValid() && (s.verb == "put" || chance(w.r, 60)) && !chance(w.r, 10) {
		w.fieldOf(s.entity, f).Set(w.fieldOf(known, f))
	} else if chance(w.r, 15) {
		w.fieldOf(s.entity, f).Set(reflect.ValueOf(1 + w.r.IntN(9)).Convert(f.Node.Type))
	}
	s.version, _ = versionOf(w.plan, codec.PtrOf(s.entity.Elem()))
}

func (w *world) drawCondition(s *step) {
	note := w.plan.Shape.ByName("note")
	v := pick(w.r, []string{"n1", "n2"})
	d := demand{"note", &types.AttributeValueMemberS{Value: v}}
	if known := w.known(s.entity); known.IsValid() && chance(w.r, 70) {
		v = w.fieldOf(known, note).String()
		d.value = &types.AttributeValueMemberS{Value: v}
	}
	operand := any(v)
	s.conds = append(s.conds, expr.Ask(expr.Eq, w.path("note"), &operand))
	s.asks = append(s.asks, d)
	if chance(w.r, 30) {
		s.conds = append(s.conds, expr.Join(expr.Or, []*expr.Cond{expr.Ask(expr.Exists, w.path("note")), expr.Ask(expr.NotExists, w.path("note"))}))
	}
}

// drawChanges draws changes of up to four fields.
func (w *world) drawChanges(s *step) {
	for len(s.changes) == 0 {
		for range 1 + w.r.IntN(4) {
			w.drawChange(s, w.pickField())
		}
	}
}

// pickField prefers members of indexes.
func (w *world) pickField() *codec.Field {
	for range 3 {
		if f := pick(w.r, w.plan.Shape.Fields()); w.plan.IndexMember(f) && !w.plan.TableMember(f) {
			return f
		}
	}
	return pick(w.r, w.plan.Shape.Fields())
}

func (w *world) drawChange(s *step, f *codec.Field) {
	if _, twice := s.of(f); twice || f == w.plan.Rest {
		return
	}
	kept := w.plan.TableMember(f) || f == w.plan.Version || f == w.plan.Updated
	if kept && !chance(w.r, 8) {
		return
	}
	a := alteration{verb: expr.Set, field: f, value: w.draw(f, true)}
	p, _ := w.part(f)
	switch n := w.r.IntN(100); {
	case f.Name == "lst" && n < 60:
		a.verb, a.value = expr.Append, reflect.ValueOf([]string{"z"})
	case f.Name == "set" && n < 40:
		a.verb, a.value = expr.SetAdd, reflect.ValueOf([]string{"x", "z"})
	case f.Name == "set" && n < 60:
		a.verb, a.value = expr.SetDelete, reflect.ValueOf([]string{"x"})
	case f.KeyOnly && n < 70, n < 50:
	case f.KeyOnly, n < 75:
		a.verb = expr.Remove
	case p.adds && n < 90:
		a.verb, a.value = expr.Add, reflect.ValueOf(1+w.r.IntN(3)).Convert(f.Node.Type)
	case n < 97:
		a.verb, a.value = expr.SetIfAbsent, w.draw(f, false)
	}
	lost := a.verb == expr.Remove && w.plan.IndexMember(f) && f.ZeroIsValue() // read back as a zero, which is another key
	if lost && !chance(w.r, 8) {
		return
	}
	s.illegal = s.illegal || kept || lost
	s.changes = append(s.changes, a)
}

// expressions are the step's changes as the package takes them.
func (w *world) expressions(s *step) []*expr.Change {
	var list []*expr.Change
	for _, a := range s.changes {
		operand := a.value.Interface()
		if a.verb == expr.Remove {
			list = append(list, expr.Alter(a.verb, w.path(a.field.Name)))
		} else {
			list = append(list, expr.Alter(a.verb, w.path(a.field.Name), &operand))
		}
	}
	if len(s.conds) > 0 {
		list = append(list, expr.Provided(s.conds))
	}
	return list
}

// args are the step as the planner of updates takes it.
func (w *world) args(s *step) UpdateArgs {
	return UpdateArgs{
		Plan: w.plan, Example: codec.PtrOf(s.entity.Elem()), Changes: w.expressions(s),
		Upsert: s.verb == "upsert", ReadFirst: s.readFirst, AsRead: s.asRead, Now: w.now, Return: op.AllNew,
	}
}

// operation plans the step.
func (w *world) operation(s *step) (op.Operation, error) {
	entity := reflect.New(w.plan.Type)
	entity.Elem().Set(s.entity.Elem())
	put := PutArgs{Plan: w.plan, Entity: codec.PtrOf(entity.Elem()), Conds: s.conds, Now: w.now}
	var o op.Operation
	var err error
	switch s.verb {
	case "create":
		o, _, err = Create(put)
	case "put":
		o, _, err = Put(put)
	case "overwrite":
		o, _, err = Overwrite(put)
	case "delete":
		o, err = Delete(w.plan, put.Entity, s.conds, op.Nothing)
	default:
		o, err = w.plans(w.args(s))
	}
	return o, err
}

// copied is the store as it is now.
func (s *store) copied() *store {
	return &store{schema: s.schema, strict: s.strict, items: maps.Clone(s.items)}
}
