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

// mayCreate reports whether the call is an upsert that creates an item. One with a version is an
// update.
func (s *call) mayCreate() bool { return s.verb == "upsert" && s.version == 0 }

// modelChange is a change for the model.
type modelChange struct {
	verb  expr.Verb
	field *codec.Field
	value reflect.Value // of the field's type; the addend for Add
}

// String returns a summary of the call.
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

func (sim *simulation) path(name string) *core.Path {
	if sim.paths[name] == nil {
		sim.paths[name] = &core.Path{Owner: sim.plan.Type, Steps: []*core.Step{{Kind: core.StepName, Name: name}}}
	}
	return sim.paths[name]
}

func (sim *simulation) fieldOf(e reflect.Value, f *codec.Field) reflect.Value {
	return e.Elem().FieldByIndex(f.Index)
}

// randomValue returns a random value of a field. The first value is zero. Members of the table's
// key have few other values.
func (sim *simulation) randomValue(f *codec.Field, zero bool) reflect.Value {
	p, ok := sim.specOf(f)
	switch {
	case !ok:
		return reflect.Zero(f.Node.Type)
	case sim.plan.TableMember(f) && chance(sim.r, 92):
		return reflect.ValueOf(p.values[1])
	case sim.plan.TableMember(f):
		return reflect.ValueOf(p.values[1+sim.r.IntN(min(2, len(p.values)-1))])
	case zero:
		return reflect.ValueOf(pick(sim.r, p.values))
	default:
		return reflect.ValueOf(pick(sim.r, p.values[1:]))
	}
}

// randomEntity returns an entity with most fields set.
func (sim *simulation) randomEntity() reflect.Value {
	e := reflect.New(sim.plan.Type)
	for _, f := range sim.plan.Shape.Fields() {
		if f != sim.plan.Version && f != sim.plan.Rest && f != sim.plan.Updated {
			sim.fieldOf(e, f).Set(sim.randomValue(f, chance(sim.r, 30)))
		}
	}
	if f := sim.plan.Rest; f != nil && chance(sim.r, 50) {
		rest := map[string]types.AttributeValue{"extra": &types.AttributeValueMemberS{Value: "x"}}
		if chance(sim.r, 30) {
			rest[pick(sim.r, sim.schema.KeyAttributes()).Name] = &types.AttributeValueMemberS{Value: "not the key"}
		}
		sim.fieldOf(e, f).Set(reflect.ValueOf(rest))
	}
	return e
}

// randomExample returns an example with a key and some other fields, most of them equal to the
// item's. The example of an upsert also has fields that the item lacks.
func (sim *simulation) randomExample(verb string) reflect.Value {
	e := reflect.New(sim.plan.Type)
	for _, f := range sim.plan.Shape.Fields() {
		if sim.plan.TableMember(f) {
			sim.fieldOf(e, f).Set(sim.randomValue(f, false))
		}
	}
	known := sim.storedEntity(e)
	for _, f := range sim.plan.Shape.Fields() {
		if sim.plan.TableMember(f) || f == sim.plan.Version || f == sim.plan.Rest || !chance(sim.r, 45) {
			continue
		}
		if known.IsValid() && chance(sim.r, 85) && (verb != "upsert" || !sim.fieldOf(known, f).IsZero()) {
			sim.fieldOf(e, f).Set(sim.fieldOf(known, f))
		} else {
			sim.fieldOf(e, f).Set(sim.randomValue(f, true))
		}
	}
	return e
}

// storedEntity returns the decoded item with the example's key.
func (sim *simulation) storedEntity(example reflect.Value) reflect.Value {
	key, err := Key(sim.plan, codec.PtrOf(example.Elem()))
	if err != nil {
		return reflect.Value{}
	}
	item := sim.store.get(key)
	if item == nil {
		return reflect.Value{}
	}
	e := reflect.New(sim.plan.Type)
	if sim.plan.Decode(item, codec.PtrOf(e.Elem())) != nil {
		return reflect.Value{}
	}
	return e
}

// removeNumber simulates another program that removes a plain number from an item, which is then
// read as 0.
func (sim *simulation) removeNumber() error {
	keys := slices.DeleteFunc(slices.Sorted(maps.Keys(sim.store.items)), func(at string) bool {
		return sim.isGuard(sim.store.items[at]) || sim.isGroup(sim.store.items[at])
	})
	numbers := slices.DeleteFunc(slices.Clone(sim.plan.Shape.Fields()), func(f *codec.Field) bool {
		return f.KeyOnly || sim.plan.TableMember(f) || !sim.plan.IndexMember(f) || sim.plan.CompanionMember(f) || !f.ZeroIsValue()
	})
	if len(keys) == 0 || len(numbers) == 0 {
		return nil
	}
	f := pick(sim.r, numbers)
	for _, native := range numbers { // they are rare
		if sim.plan.Native(native) != nil {
			f = native
		}
	}
	at := pick(sim.r, keys)
	before := sim.store.items[at]
	after := maps.Clone(before)
	delete(after, f.Name)
	want, _, err := sim.expectedIndexKeys(after, sim.keyOnlyValues(before, &call{}))
	if err != nil {
		return err
	}
	for _, a := range sim.plan.Attrs {
		if a.Rendered() {
			setOrDelete(after, a.Name, want[a.Name])
		}
	}
	sim.store.items[at] = after
	return nil
}

var verbs = []string{
	"create", "put", "put", "put", "overwrite", "delete", "upsert", "upsert", "upsert",
	"update", "update", "update", "update", "update", "update", "update", "update", "update", "update", "update", "update",
}

// randomCall generates a random call.
func (sim *simulation) randomCall() *call {
	s := &call{verb: pick(sim.r, verbs), readFirst: chance(sim.r, 45)}
	if s.isPut() {
		s.entity = sim.randomEntity()
	} else {
		s.entity = sim.randomExample(s.verb)
		sim.setAsRead(s)
	}
	if !s.asRead {
		sim.setVersion(s)
	}
	if s.isUpdate() {
		sim.addChanges(s)
	}
	if s.verb != "create" && chance(sim.r, 12) {
		sim.addCondition(s)
	}
	return s
}

// setAsRead sets the example of an update to the current item, sometimes with one wrong field.
func (sim *simulation) setAsRead(s *call) {
	known := sim.storedEntity(s.entity)
	if !s.isUpdate() || !known.IsValid() || !chance(sim.r, 30) {
		return
	}
	s.asRead, s.entity = chance(sim.r, 50) || sim.plan.Version == nil, known
	if f := pick(sim.r, sim.plan.Shape.Fields()); chance(sim.r, 20) && !sim.plan.TableMember(f) && f != sim.plan.Version && f != sim.plan.Rest {
		sim.fieldOf(s.entity, f).Set(sim.randomValue(f, true))
	}
	s.version, _ = versionOf(sim.plan, codec.PtrOf(s.entity.Elem()))
}

// setVersion sets the call's version to the current one, none or a wrong one.
func (sim *simulation) setVersion(s *call) {
	f := sim.plan.Version
	if f == nil || s.verb == "create" {
		return
	}
	if known := sim.storedEntity(s.entity); known.IsValid() && (s.verb == "put" || chance(sim.r, 60)) && !chance(sim.r, 10) {
		sim.fieldOf(s.entity, f).Set(sim.fieldOf(known, f))
	} else if chance(sim.r, 15) {
		sim.fieldOf(s.entity, f).Set(reflect.ValueOf(1 + sim.r.IntN(9)).Convert(f.Node.Type))
	}
	s.version, _ = versionOf(sim.plan, codec.PtrOf(s.entity.Elem()))
}

func (sim *simulation) addCondition(s *call) {
	note := sim.plan.Shape.ByName("note")
	v := pick(sim.r, []string{"n1", "n2"})
	d := modelCond{"note", &types.AttributeValueMemberS{Value: v}}
	if known := sim.storedEntity(s.entity); known.IsValid() && chance(sim.r, 70) {
		v = sim.fieldOf(known, note).String()
		d.value = &types.AttributeValueMemberS{Value: v}
	}
	operand := any(v)
	s.conds = append(s.conds, expr.NewCond(expr.Eq, sim.path("note"), &operand))
	s.modelConds = append(s.modelConds, d)
	if chance(sim.r, 30) {
		s.conds = append(s.conds, expr.Join(expr.Or, []*expr.Cond{expr.NewCond(expr.Exists, sim.path("note")), expr.NewCond(expr.NotExists, sim.path("note"))}))
	}
}

// addChanges adds changes of up to four fields.
func (sim *simulation) addChanges(s *call) {
	for len(s.changes) == 0 {
		for range 1 + sim.r.IntN(4) {
			sim.addChange(s, sim.randomField())
		}
	}
}

// randomField returns a random field and prefers members of indexes.
func (sim *simulation) randomField() *codec.Field {
	for range 3 {
		if f := pick(sim.r, sim.plan.Shape.Fields()); sim.plan.IndexMember(f) && !sim.plan.TableMember(f) {
			return f
		}
	}
	return pick(sim.r, sim.plan.Shape.Fields())
}

func (sim *simulation) addChange(s *call, f *codec.Field) {
	if _, twice := s.changeOf(f); twice || f == sim.plan.Rest {
		return
	}
	kept := sim.plan.TableMember(f) || f == sim.plan.Version || f == sim.plan.Updated
	if kept && !chance(sim.r, 8) {
		return
	}
	a := modelChange{verb: expr.Set, field: f, value: sim.randomValue(f, true)}
	p, _ := sim.specOf(f)
	switch n := sim.r.IntN(100); {
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
		a.verb, a.value = expr.Add, reflect.ValueOf(1+sim.r.IntN(3)).Convert(f.Node.Type)
	case n < 97:
		a.verb, a.value = expr.SetIfAbsent, sim.randomValue(f, false)
	}
	// A removed attribute decodes to zero, which is another key.
	lost := a.verb == expr.Remove && (sim.plan.IndexMember(f) || sim.plan.CompanionMember(f)) && f.ZeroIsValue()
	if lost && !chance(sim.r, 8) {
		return
	}
	s.notAllowed = s.notAllowed || kept || lost
	s.changes = append(s.changes, a)
}

// changes returns the call's changes as arguments of the package.
func (sim *simulation) changes(s *call) []*expr.Change {
	var list []*expr.Change
	for _, a := range s.changes {
		operand := a.value.Interface()
		if a.verb == expr.Remove {
			list = append(list, expr.NewChange(a.verb, sim.path(a.field.Name)))
		} else {
			list = append(list, expr.NewChange(a.verb, sim.path(a.field.Name), &operand))
		}
	}
	if len(s.conds) > 0 {
		list = append(list, expr.OnlyIf(s.conds))
	}
	return list
}

// updateArgs returns the arguments of an update.
func (sim *simulation) updateArgs(s *call) UpdateArgs {
	return UpdateArgs{
		Plan: sim.plan, Example: codec.PtrOf(s.entity.Elem()), Changes: sim.changes(s),
		Upsert: s.verb == "upsert", ReadFirst: s.readFirst, AsRead: s.asRead, Now: sim.now, Return: trestle.AllNew, Expiry: sim.expiryFor(s.verb),
	}
}

// expiryFor returns what a verb takes for expired.
func (sim *simulation) expiryFor(verb string) core.Expiry {
	if verb == sim.blind {
		return core.Expiry{}
	}
	return sim.expiry()
}

// operation plans the call.
func (sim *simulation) operation(s *call) (op.Operation, error) {
	entity := reflect.New(sim.plan.Type)
	entity.Elem().Set(s.entity.Elem())
	put := PutArgs{Plan: sim.plan, Entity: codec.PtrOf(entity.Elem()), Conds: s.conds, Now: sim.now, Expiry: sim.expiryFor(s.verb)}
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
		o, err = Delete(sim.plan, put.Entity, s.conds, op.Nothing, put.Expiry)
	default:
		o, err = sim.update(sim.updateArgs(s))
	}
	return o, err
}

// clone returns a copy of the store.
func (s *store) clone() *store {
	return &store{schema: s.schema, strict: s.strict, items: maps.Clone(s.items)}
}
