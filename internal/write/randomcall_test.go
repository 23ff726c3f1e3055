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

// call is one random call of a verb.
type call struct {
	verb       string
	readFirst  bool
	asRead     bool          // declares the example to be the item as it was read
	entity     reflect.Value // a pointer: the entity, or the example
	version    int64         // the version of the entity
	changes    []modelChange
	conds      []*expr.Cond
	modelConds []modelCond // the conditions for the model
	notAllowed bool        // a change is not allowed
}

func (s *call) isPut() bool { return s.verb == "create" || s.verb == "put" || s.verb == "overwrite" }

func (s *call) isUpdate() bool { return s.verb == "update" || s.verb == "upsert" }

// modelChange is a change for the model.
type modelChange struct {
	verb  expr.Verb
	field *codec.Field
	value reflect.Value // of the field's type; the addend for Add
}

// String returns a summary of the step.
func (s *call) String() string {
	text := s.verb
	for _, a := range s.changes {
		text += fmt.Sprintf(" %s(%s)", a.verb, a.field.Name)
	}
	return fmt.Sprintf("%s, version %d, reading first %t, as read %t", text, s.version, s.readFirst, s.asRead)
}

// zerosCount reports whether zeros in the example count.
func (s *call) zerosCount() bool { return s.asRead || s.version != 0 && !s.readFirst }

// changeOf returns the change of a field.
func (s *call) changeOf(f *codec.Field) (modelChange, bool) {
	for _, a := range s.changes {
		if a.field == f {
			return a, true
		}
	}
	return modelChange{}, false
}

// modelCond is a condition for the model: an attribute has this value.
type modelCond struct {
	attribute string
	value     types.AttributeValue
}

// simulation is a random schema with its items.
type simulation struct {
	*propertyRun
	*compiled
	r     *rand.Rand
	store *store
	now   time.Time
	paths map[string]*core.Path
}

func (w *simulation) path(name string) *core.Path {
	if w.paths[name] == nil {
		w.paths[name] = &core.Path{Owner: w.plan.Type, Steps: []*core.Step{{Kind: core.StepName, Name: name}}}
	}
	return w.paths[name]
}

func (w *simulation) fieldOf(e reflect.Value, f *codec.Field) reflect.Value {
	return e.Elem().FieldByIndex(f.Index)
}

// randomValue returns a random value of a field. The first value is zero. Members of the table's
// key have few other values.
func (w *simulation) randomValue(f *codec.Field, zero bool) reflect.Value {
	p, ok := w.specOf(f)
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

// randomEntity returns an entity with most fields set.
func (w *simulation) randomEntity() reflect.Value {
	e := reflect.New(w.plan.Type)
	for _, f := range w.plan.Shape.Fields() {
		if f != w.plan.Version && f != w.plan.Rest && f != w.plan.Updated {
			w.fieldOf(e, f).Set(w.randomValue(f, chance(w.r, 30)))
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

// randomExample returns an example with a key and some other fields, most of them equal to the
// item's. The example of an upsert also has fields that the item lacks.
func (w *simulation) randomExample(verb string) reflect.Value {
	e := reflect.New(w.plan.Type)
	for _, f := range w.plan.Shape.Fields() {
		if w.plan.TableMember(f) {
			w.fieldOf(e, f).Set(w.randomValue(f, false))
		}
	}
	known := w.storedEntity(e)
	for _, f := range w.plan.Shape.Fields() {
		if w.plan.TableMember(f) || f == w.plan.Version || f == w.plan.Rest || !chance(w.r, 45) {
			continue
		}
		if known.IsValid() && chance(w.r, 85) && (verb != "upsert" || !w.fieldOf(known, f).IsZero()) {
			w.fieldOf(e, f).Set(w.fieldOf(known, f))
		} else {
			w.fieldOf(e, f).Set(w.randomValue(f, true))
		}
	}
	return e
}

// storedEntity returns the decoded item with the example's key.
func (w *simulation) storedEntity(example reflect.Value) reflect.Value {
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

// removeNumber simulates another program that removes a plain number from an item, together with
// its index keys.
func (w *simulation) removeNumber() error {
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
	want, _, err := w.expectedIndexKeys(after, w.keyOnlyValues(before, &call{}))
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

// randomCall generates a random step.
func (w *simulation) randomCall() *call {
	s := &call{verb: pick(w.r, verbs), readFirst: chance(w.r, 45)}
	if s.isPut() {
		s.entity = w.randomEntity()
	} else {
		s.entity = w.randomExample(s.verb)
		w.setAsRead(s)
	}
	if !s.asRead {
		w.setVersion(s)
	}
	if s.isUpdate() {
		w.addChanges(s)
	}
	if s.verb != "create" && chance(w.r, 12) {
		w.addCondition(s)
	}
	return s
}

// setAsRead sets the example of an update to the current item, sometimes with one wrong field.
func (w *simulation) setAsRead(s *call) {
	known := w.storedEntity(s.entity)
	if !s.isUpdate() || !known.IsValid() || !chance(w.r, 30) {
		return
	}
	s.asRead, s.entity = chance(w.r, 50) || w.plan.Version == nil, known
	if f := pick(w.r, w.plan.Shape.Fields()); chance(w.r, 20) && !w.plan.TableMember(f) && f != w.plan.Version && f != w.plan.Rest {
		w.fieldOf(s.entity, f).Set(w.randomValue(f, true))
	}
	s.version, _ = versionOf(w.plan, codec.PtrOf(s.entity.Elem()))
}

// setVersion sets the step's version to the current one, none or a wrong one.
func (w *simulation) setVersion(s *call) {
	f := w.plan.Version
	if f == nil || s.verb == "create" {
		return
	}
	if known := w.storedEntity(s.entity); known.IsValid() && (s.verb == "put" || chance(w.r, 60)) && !chance(w.r, 10) {
		w.fieldOf(s.entity, f).Set(w.fieldOf(known, f))
	} else if chance(w.r, 15) {
		w.fieldOf(s.entity, f).Set(reflect.ValueOf(1 + w.r.IntN(9)).Convert(f.Node.Type))
	}
	s.version, _ = versionOf(w.plan, codec.PtrOf(s.entity.Elem()))
}

func (w *simulation) addCondition(s *call) {
	note := w.plan.Shape.ByName("note")
	v := pick(w.r, []string{"n1", "n2"})
	d := modelCond{"note", &types.AttributeValueMemberS{Value: v}}
	if known := w.storedEntity(s.entity); known.IsValid() && chance(w.r, 70) {
		v = w.fieldOf(known, note).String()
		d.value = &types.AttributeValueMemberS{Value: v}
	}
	operand := any(v)
	s.conds = append(s.conds, expr.NewCond(expr.Eq, w.path("note"), &operand))
	s.modelConds = append(s.modelConds, d)
	if chance(w.r, 30) {
		s.conds = append(s.conds, expr.Join(expr.Or, []*expr.Cond{expr.NewCond(expr.Exists, w.path("note")), expr.NewCond(expr.NotExists, w.path("note"))}))
	}
}

// addChanges adds changes of up to four fields.
func (w *simulation) addChanges(s *call) {
	for len(s.changes) == 0 {
		for range 1 + w.r.IntN(4) {
			w.addChange(s, w.randomField())
		}
	}
}

// randomField returns a random field and prefers members of indexes.
func (w *simulation) randomField() *codec.Field {
	for range 3 {
		if f := pick(w.r, w.plan.Shape.Fields()); w.plan.IndexMember(f) && !w.plan.TableMember(f) {
			return f
		}
	}
	return pick(w.r, w.plan.Shape.Fields())
}

func (w *simulation) addChange(s *call, f *codec.Field) {
	if _, twice := s.changeOf(f); twice || f == w.plan.Rest {
		return
	}
	kept := w.plan.TableMember(f) || f == w.plan.Version || f == w.plan.Updated
	if kept && !chance(w.r, 8) {
		return
	}
	a := modelChange{verb: expr.Set, field: f, value: w.randomValue(f, true)}
	p, _ := w.specOf(f)
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
	case p.addable && n < 90:
		a.verb, a.value = expr.Add, reflect.ValueOf(1+w.r.IntN(3)).Convert(f.Node.Type)
	case n < 97:
		a.verb, a.value = expr.SetIfAbsent, w.randomValue(f, false)
	}
	// A removed attribute decodes to zero, which is another key.
	lost := a.verb == expr.Remove && w.plan.IndexMember(f) && f.ZeroIsValue()
	if lost && !chance(w.r, 8) {
		return
	}
	s.notAllowed = s.notAllowed || kept || lost
	s.changes = append(s.changes, a)
}

// changes returns the step's changes as arguments of the package.
func (w *simulation) changes(s *call) []*expr.Change {
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

// updateArgs returns the arguments of an update.
func (w *simulation) updateArgs(s *call) UpdateArgs {
	return UpdateArgs{
		Plan: w.plan, Example: codec.PtrOf(s.entity.Elem()), Changes: w.changes(s),
		Upsert: s.verb == "upsert", ReadFirst: s.readFirst, AsRead: s.asRead, Now: w.now, Return: op.AllNew,
	}
}

// operation plans the step.
func (w *simulation) operation(s *call) (op.Operation, error) {
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
		o, err = w.update(w.updateArgs(s))
	}
	return o, err
}

// clone returns a copy of the store.
func (s *store) clone() *store {
	return &store{schema: s.schema, strict: s.strict, items: maps.Clone(s.items)}
}
