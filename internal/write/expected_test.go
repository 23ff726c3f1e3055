package write

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/expr"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/keys"
)

// These methods compute the expected item after a call. They use only the item's attributes. They
// share no code with the planner except the codec and the templates.

// has reports whether an item has a field's attribute.
func has(item op.Item, f *codec.Field) bool { return item[f.Name] != nil }

// member returns the key value of a field in the stored item, or of its zero value if it lacks
// it. The values of key-only fields are in keyOnly.
func (sim *simulation) member(item op.Item, f *codec.Field, keyOnly map[*codec.Field]keys.Value) (keys.Value, error) {
	if f.KeyOnly {
		return keyOnly[f], nil
	}
	e := reflect.New(sim.plan.Type)
	if has(item, f) {
		if err := f.Decode(item[f.Name], codec.PtrOf(e.Elem())); err != nil {
			return keys.Value{}, err
		}
	}
	return f.Key(codec.PtrOf(e.Elem()))
}

// expectedIndexKeys returns the expected rendered attributes of an item and the number of its index
// entries.
func (sim *simulation) expectedIndexKeys(item op.Item, keyOnly map[*codec.Field]keys.Value) (want op.Item, entries int, err error) {
	want = op.Item{}
	for _, x := range sim.plan.Indexes {
		on := true
		made := op.Item{}
		for a := range x.Key.Attributes() {
			vals := make([]keys.Value, len(a.Members))
			there := true
			for i, m := range a.Members {
				if vals[i], err = sim.member(item, m, keyOnly); err != nil {
					return nil, 0, err
				}
				there = there && !vals[i].IsAbsent()
			}
			switch {
			case a.Table:
			case !there:
				on = false
			case a.Rendered():
				if made[a.Name], err = a.Render(vals); err != nil {
					return nil, 0, err
				}
			}
		}
		if on {
			entries++
			maps.Copy(want, made)
		}
	}
	return want, entries, nil
}

// keyOnlyValues returns the values of key-only fields after a call. They are unchanged unless the
// call changes them.
func (sim *simulation) keyOnlyValues(before op.Item, s *call) map[*codec.Field]keys.Value {
	vals := map[*codec.Field]keys.Value{}
	for _, f := range sim.plan.Shape.Fields() {
		if !f.KeyOnly {
			continue
		}
		a, changed := s.changeOf(f)
		switch {
		case s.isPut(), sim.plan.TableMember(f):
			vals[f], _ = f.Key(codec.PtrOf(s.entity.Elem()))
		case changed && a.verb == expr.Set:
			vals[f], _ = f.KeyOperand(pointer(a.value), false)
		case !changed:
			vals[f] = sim.parsedKeyOnly(before, f)
		}
	}
	return vals
}

// parsedKeyOnly decodes a key-only field from a key.
func (sim *simulation) parsedKeyOnly(item op.Item, f *codec.Field) keys.Value {
	for _, a := range sim.plan.Attrs {
		for i, m := range a.Members {
			if m != f || a.Parse == nil || !a.Parse[i] {
				continue
			}
			if text, ok := core.KeyText(a.Type, item[a.Name]); ok {
				vals, err := a.Template.Parse(text)
				if err == nil {
					return vals[i]
				}
			}
		}
	}
	v, _ := f.Key(codec.PtrOf(reflect.New(sim.plan.Type).Elem()))
	return v
}

func pointer(v reflect.Value) any {
	p := reflect.New(v.Type())
	p.Elem().Set(v)
	return p.Interface()
}

// encoded returns the attribute value of a field, or nil if it is omitted.
func encoded(f *codec.Field, v reflect.Value) types.AttributeValue {
	if v.Type() != f.Node.Type {
		p := reflect.New(f.Node.Type.Elem())
		p.Elem().Set(v)
		v = p
	}
	av, err := f.EncodeOperand(pointer(v))
	if err != nil {
		panic(err)
	}
	return av
}

// versionIn returns the version of an item, or 0 if it has none.
func (sim *simulation) versionIn(item op.Item) int64 {
	n, _ := item[sim.plan.Version.Name].(*types.AttributeValueMemberN)
	if n == nil {
		return 0
	}
	v, _ := strconv.ParseInt(n.Value, 10, 64)
	return v
}

// allowance has the values that attributes may have after a call, besides the expected one.
type allowance map[string][]types.AttributeValue

// add allows a value of a field, unless it is omitted.
func (w allowance) add(f *codec.Field, v reflect.Value) {
	if av := encoded(f, v); av != nil {
		w[f.Name] = append(w[f.Name], av)
	}
}

func (w allowance) has(name string, av types.AttributeValue) bool {
	return slices.ContainsFunc(w[name], func(v types.AttributeValue) bool { return same(av, v) })
}

// expected returns the item after a call, without its rendered attributes. An attribute in allowed
// may have a value there or be unchanged.
func (sim *simulation) expected(res result, s *call) (want op.Item, allowed allowance) {
	want, allowed = op.Item{}, allowance{}
	if s.isPut() {
		sim.expectPut(want, s)
	} else {
		maps.Copy(want, res.before)
		sim.expectUpdate(want, allowed, res, s)
	}
	maps.Copy(want, res.key)
	if p := sim.plan; p.Version != nil {
		n := sim.versionIn(res.before) + 1
		if s.verb == "put" {
			n = s.version + 1
		}
		want[p.Version.Name] = &types.AttributeValueMemberN{Value: strconv.FormatInt(n, 10)}
	}
	if p := sim.plan; p.Updated != nil {
		want[p.Updated.Name] = encoded(p.Updated, reflect.ValueOf(sim.now))
	}
	if sim.schema.TypeAttr != "" && (s.isPut() || s.mayCreate()) {
		want[sim.schema.TypeAttr] = &types.AttributeValueMemberS{Value: sim.plan.Name}
	}
	return want, allowed
}

func (sim *simulation) expectPut(want op.Item, s *call) {
	p := sim.plan
	for _, f := range p.Shape.Fields() {
		v := sim.fieldOf(s.entity, f)
		switch {
		case f == p.Rest:
			if v.Len() > 0 {
				want["extra"] = &types.AttributeValueMemberS{Value: "x"}
			}
		case f.KeyOnly:
		case f == p.Created && v.IsZero():
			want[f.Name] = encoded(f, reflect.ValueOf(sim.now))
		default:
			setOrDelete(want, f.Name, encoded(f, v))
		}
	}
}

func (sim *simulation) expectUpdate(want op.Item, allowed allowance, res result, s *call) {
	p := sim.plan
	for _, a := range s.changes {
		if !a.field.KeyOnly {
			sim.expectChange(want, a)
		}
	}
	if !s.mayCreate() {
		sim.allowZeros(allowed, res, s)
		return
	}
	for _, f := range p.Shape.Fields() {
		if _, changed := s.changeOf(f); changed || f.KeyOnly || has(res.before, f) || f == p.Rest || f == p.Updated || f == p.Version {
			continue
		}
		given := sim.fieldOf(s.entity, f)
		switch {
		case p.TableMember(f):
			want[f.Name] = encoded(f, given)
		case f == p.Created && s.zerosCount() && !given.IsZero():
			want[f.Name] = encoded(f, given)
		case f == p.Created:
			want[f.Name] = encoded(f, reflect.ValueOf(sim.now))
		case (!given.IsZero() || s.zerosCount()) && p.IndexMember(f):
			allowed.add(f, given)
		}
		if want[f.Name] == nil && f != p.Created {
			allowed.add(f, reflect.Zero(f.Node.Type))
		}
	}
}

// allowZeros adds the zeros that an update may write: the item lacks a member whose zero is a value
// in a key.
func (sim *simulation) allowZeros(allowed allowance, res result, s *call) {
	for _, f := range sim.plan.Shape.Fields() {
		_, changed := s.changeOf(f)
		if !changed && !f.KeyOnly && !has(res.before, f) && sim.plan.IndexMember(f) && f.ZeroIsValue() {
			allowed.add(f, reflect.Zero(f.Node.Type))
		}
	}
}

func (sim *simulation) expectChange(want op.Item, a modelChange) {
	f := a.field
	old := want[f.Name]
	switch a.verb {
	case expr.Set:
		setOrDelete(want, f.Name, encoded(f, a.value))
	case expr.Remove:
		delete(want, f.Name)
	case expr.SetIfAbsent:
		if old == nil {
			setOrDelete(want, f.Name, encoded(f, a.value))
		}
	case expr.Add, expr.SetAdd:
		by := encoded(f, a.value)
		want[f.Name] = added(old, by)
	case expr.SetDelete:
		setOrDelete(want, f.Name, without(old, encoded(f, a.value)))
	case expr.Append:
		list := []types.AttributeValue{}
		if old != nil {
			list = append(list, old.(*types.AttributeValueMemberL).Value...)
		}
		want[f.Name] = &types.AttributeValueMemberL{Value: append(list, &types.AttributeValueMemberS{Value: "z"})}
	}
}

// checkItem compares the item after a call with the expected item.
func (sim *simulation) checkItem(res result, s *call) error {
	if s.verb == "delete" {
		if res.after != nil {
			return fmt.Errorf("the item is still there")
		}
		return nil
	}
	want, allowed := sim.expected(res, s)
	fields := maps.Clone(res.after)
	for _, a := range sim.plan.Attrs {
		if a.Rendered() {
			delete(fields, a.Name)
		}
	}
	for name, av := range fields {
		if want[name] == nil && !allowed.has(name, av) || want[name] != nil && !same(av, want[name]) {
			return fmt.Errorf("attribute %s differs from the expected one", name)
		}
	}
	for name := range want {
		if fields[name] == nil && sim.plan.KeyAttr(name) == nil || fields[name] == nil && !sim.plan.KeyAttr(name).Rendered() {
			return fmt.Errorf("attribute %s is missing", name)
		}
	}
	if err := sim.checkKey(res); err != nil {
		return err
	}
	return sim.checkIndexes(res, s)
}

// checkKey compares the table's key with a new rendering of the item's fields.
func (sim *simulation) checkKey(res result) error {
attributes:
	for a := range sim.plan.Table.Attributes() {
		vals := make([]keys.Value, len(a.Members))
		for i, m := range a.Members {
			if m.KeyOnly {
				continue attributes
			}
			var err error
			if vals[i], err = sim.member(res.after, m, nil); err != nil {
				return err
			}
		}
		if av, err := a.Render(vals); err != nil || !same(av, res.key[a.Name]) {
			return fmt.Errorf("the table's key %s is not made of the item's fields", a.Name)
		}
	}
	return nil
}

// checkIndexes compares every rendered attribute with a new rendering of the item's fields.
func (sim *simulation) checkIndexes(res result, s *call) error {
	keyOnly := sim.keyOnlyValues(res.before, s)
	want, entries, err := sim.expectedIndexKeys(res.after, keyOnly)
	if err != nil {
		return fmt.Errorf("a key cannot be rendered from the item: %w", err)
	}
	for _, a := range sim.plan.Attrs {
		if !a.Rendered() {
			continue
		}
		switch have := res.after[a.Name]; {
		case have == nil && want[a.Name] != nil:
			return fmt.Errorf("index attribute %s is missing", a.Name)
		case have != nil && want[a.Name] == nil:
			return fmt.Errorf("index attribute %s is there and must not be", a.Name)
		case have != nil && !same(have, want[a.Name]):
			return fmt.Errorf("index attribute %s is stale", a.Name)
		}
	}
	if err := sim.checkOtherHalf(res); err != nil {
		return err
	}
	sim.count(res, s, entries)
	return sim.checkPutAgain(res.after, res.before == nil, s)
}

// checkOtherHalf checks that a call that renders a part of an index key also leaves the parts that
// are fields, so that DynamoDB has the entry.
func (sim *simulation) checkOtherHalf(res result) error {
	if sim.sharesAttribute() {
		return nil // another index can have changed the rendered part
	}
	for _, x := range sim.plan.Indexes {
		rendered, missing := false, false
		for a := range x.Key.Attributes() {
			av := res.after[a.Name]
			rendered = rendered || a.Rendered() && av != nil && !same(av, res.before[a.Name])
			missing = missing || av == nil
		}
		if rendered && missing {
			return fmt.Errorf("a part of the key of index %s is missing", x.Index.Name)
		}
	}
	return nil
}

// checkPutAgain compares the keys of the item with those of a put of the decoded item, and all
// attributes of a new item.
func (sim *simulation) checkPutAgain(item op.Item, isNew bool, s *call) error {
	at := codec.PtrOf(reflect.New(sim.plan.Type).Elem())
	if err := sim.plan.Decode(item, at); err != nil {
		return fmt.Errorf("the item cannot be decoded: %w", err)
	}
	fresh, err := Item(sim.plan, at)
	if err != nil {
		return fmt.Errorf("the item cannot be put again: %w", err)
	}
	sim.counts.putAgain++
	for _, a := range sim.plan.Attrs {
		if have := item[a.Name]; have == nil && a.Field != nil {
			continue // an update does not store the zero that a missing attribute is read as
		} else if (have == nil) != (fresh[a.Name] == nil) || have != nil && !same(have, fresh[a.Name]) {
			return fmt.Errorf("attribute %s is not what a put of the item would store", a.Name)
		}
	}
	if !isNew {
		return nil
	}
	sim.counts.created++
	for name := range fresh {
		f := sim.plan.Shape.ByName(name)
		if f == nil {
			continue
		}
		a, changed := s.changeOf(f)
		removed := changed && (a.verb == expr.Remove || a.verb == expr.SetDelete)
		if have := item[name]; !removed && (have == nil || !same(have, fresh[name])) {
			return fmt.Errorf("attribute %s of a new item is not what a put of the item would store", name)
		}
	}
	return nil
}
