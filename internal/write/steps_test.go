package write

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/expr"
	"github.com/trestledb/trestle/internal/op"
)

// step is one random call of a verb.
type step struct {
	verb      string
	readFirst bool
	asRead    bool          // declares the example to be the item as it was read
	entity    reflect.Value // a pointer: the entity, or the example
	version   int64         // the version of the entity
	changes   []alteration
	conds     []*expr.Cond
	asks      []demand // the conditions for the model
	illegal   bool     // a change is not allowed
}

func (s *step) puts() bool { return s.verb == "create" || s.verb == "put" || s.verb == "overwrite" }

func (s *step) updates() bool { return s.verb == "update" || s.verb == "upsert" }

// alteration is a change for the model.
type alteration struct {
	verb  expr.Verb
	field *codec.Field
	value reflect.Value // of the field's type; the addend for Add
}

// String returns a summary of the step.
func (s *step) String() string {
	text := s.verb
	for _, a := range s.changes {
		text += fmt.Sprintf(" %s(%s)", a.verb, a.field.Name)
	}
	return fmt.Sprintf("%s, version %d, reading first %t, as read %t", text, s.version, s.readFirst, s.asRead)
}

// zerosGiven reports whether zeros in the example count.
func (s *step) zerosGiven() bool { return s.asRead || s.version != 0 && !s.readFirst }

// of returns the change of a field.
func (s *step) of(f *codec.Field) (alteration, bool) {
	for _, a := range s.changes {
		if a.field == f {
			return a, true
		}
	}
	return alteration{}, false
}

// demand is a condition for the model: an attribute has this value.
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

// draw returns a random value of a field. The first value is zero. Members of the table's key have
// few other values.
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

// fresh returns an entity with most fields set.
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

// example returns an example with a key and some other fields, most of them equal to the item's.
// The example of an upsert also has fields that the item lacks.
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

// known returns the decoded item with the example's key.
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

// lose simulates another program that removes a plain number from an item, together with its index
// keys.
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

// step generates a random step.
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

// drawAsRead sets the example of an update to the current item, sometimes with one wrong field.
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

// drawVersion sets the step's version to the current one, none or a wrong one.
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
	s.conds = append(s.conds, expr.NewCond(expr.Eq, w.path("note"), &operand))
	s.asks = append(s.asks, d)
	if chance(w.r, 30) {
		s.conds = append(s.conds, expr.Join(expr.Or, []*expr.Cond{expr.NewCond(expr.Exists, w.path("note")), expr.NewCond(expr.NotExists, w.path("note"))}))
	}
}

// drawChanges adds changes of up to four fields.
func (w *world) drawChanges(s *step) {
	for len(s.changes) == 0 {
		for range 1 + w.r.IntN(4) {
			w.drawChange(s, w.pickField())
		}
	}
}

// pickField returns a random field and prefers members of indexes.
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
	// A removed attribute decodes to zero, which is another key.
	lost := a.verb == expr.Remove && w.plan.IndexMember(f) && f.ZeroIsValue()
	if lost && !chance(w.r, 8) {
		return
	}
	s.illegal = s.illegal || kept || lost
	s.changes = append(s.changes, a)
}

// expressions returns the step's changes as arguments of the package.
func (w *world) expressions(s *step) []*expr.Change {
	var list []*expr.Change
	for _, a := range s.changes {
		operand := a.value.Interface()
		if a.verb == expr.Remove {
			list = append(list, expr.NewChange(a.verb, w.path(a.field.Name)))
		} else {
			list = append(list, expr.NewChange(a.verb, w.path(a.field.Name), &operand))
		}
	}
	if len(s.conds) > 0 {
		list = append(list, expr.OnlyIf(s.conds))
	}
	return list
}

// args returns the arguments of an update.
func (w *world) args(s *step) UpdateArgs {
	return UpdateArgs{
		Plan: w.plan, Example: codec.PtrOf(s.entity.Elem()), Changes: w.expressions(s),
		Upsert: s.verb == "upsert", ReadFirst: s.readFirst, AsRead: s.asRead, Now: w.now, Return: trestle.AllNew,
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

// copied returns a copy of the store.
func (s *store) copied() *store {
	return &store{schema: s.schema, strict: s.strict, items: maps.Clone(s.items)}
}
