package write

import (
	"fmt"
	"maps"
	"reflect"
	"strconv"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/expr"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/keys"
)

// The oracle computes the expected item after a step. It uses only the item's attributes. It shares
// no code with the planner except the codec and the templates.

// has reports whether an item has a field's attribute.
func has(item op.Item, f *codec.Field) bool { return item[f.Name] != nil }

// member returns the key value of a field in the stored item, or an absent value if the item lacks
// it. The values of key-only fields are in keyOnly.
func (w *simulation) member(item op.Item, f *codec.Field, keyOnly map[*codec.Field]keys.Value) (keys.Value, error) {
	if f.KeyOnly {
		return keyOnly[f], nil
	}
	if !has(item, f) {
		return keys.Value{}, nil
	}
	e := reflect.New(w.plan.Type)
	if err := f.Decode(item[f.Name], codec.PtrOf(e.Elem())); err != nil {
		return keys.Value{}, err
	}
	return f.Key(codec.PtrOf(e.Elem()))
}

// expectedIndexKeys returns the expected rendered attributes of an item and the number of its index
// entries.
func (w *simulation) expectedIndexKeys(item op.Item, keyOnly map[*codec.Field]keys.Value) (want op.Item, entries int, err error) {
	want = op.Item{}
	for _, x := range w.plan.Indexes {
		on := true
		made := op.Item{}
		for a := range x.Key.Attributes() {
			vals := make([]keys.Value, len(a.Members))
			there := true
			for i, m := range a.Members {
				if vals[i], err = w.member(item, m, keyOnly); err != nil {
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

// keyOnlyValues returns the values of key-only fields after a step. They are unchanged unless the
// step changes them.
func (w *simulation) keyOnlyValues(before op.Item, s *call) map[*codec.Field]keys.Value {
	vals := map[*codec.Field]keys.Value{}
	for _, f := range w.plan.Shape.Fields() {
		if !f.KeyOnly {
			continue
		}
		a, changed := s.changeOf(f)
		switch {
		case s.isPut(), w.plan.TableMember(f):
			vals[f], _ = f.Key(codec.PtrOf(s.entity.Elem()))
		case changed && a.verb == expr.Set:
			vals[f], _ = f.KeyOperand(pointer(a.value))
		case !changed:
			vals[f] = w.parsedKeyOnly(before, f)
		}
	}
	return vals
}

// parsedKeyOnly decodes a key-only field from a key.
func (w *simulation) parsedKeyOnly(item op.Item, f *codec.Field) keys.Value {
	for _, a := range w.plan.Attrs {
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
	return keys.Value{}
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
func (w *simulation) versionIn(item op.Item) int64 {
	n, _ := item[w.plan.Version.Name].(*types.AttributeValueMemberN)
	if n == nil {
		return 0
	}
	v, _ := strconv.ParseInt(n.Value, 10, 64)
	return v
}

// expected returns the item after a step, without its rendered attributes. An attribute in free may
// have the value there or be unchanged.
func (w *simulation) expected(fx result, s *call) (want, free op.Item) {
	want, free = op.Item{}, op.Item{}
	if s.isPut() {
		w.expectPut(want, s)
	} else {
		maps.Copy(want, fx.before)
		w.expectUpdate(want, free, fx, s)
	}
	maps.Copy(want, fx.key)
	if p := w.plan; p.Version != nil {
		n := w.versionIn(fx.before) + 1
		if s.verb == "put" {
			n = s.version + 1
		}
		want[p.Version.Name] = &types.AttributeValueMemberN{Value: strconv.FormatInt(n, 10)}
	}
	if p := w.plan; p.Updated != nil {
		want[p.Updated.Name] = encoded(p.Updated, reflect.ValueOf(w.now))
	}
	if w.schema.TypeAttr != "" && s.verb != "update" {
		want[w.schema.TypeAttr] = &types.AttributeValueMemberS{Value: w.plan.Name}
	}
	return want, free
}

func (w *simulation) expectPut(want op.Item, s *call) {
	p := w.plan
	for _, f := range p.Shape.Fields() {
		v := w.fieldOf(s.entity, f)
		switch {
		case f == p.Rest:
			if v.Len() > 0 {
				want["extra"] = &types.AttributeValueMemberS{Value: "x"}
			}
		case f.KeyOnly:
		case f == p.Created && v.IsZero():
			want[f.Name] = encoded(f, reflect.ValueOf(w.now))
		default:
			setOrDelete(want, f.Name, encoded(f, v))
		}
	}
}

func (w *simulation) expectUpdate(want, free op.Item, fx result, s *call) {
	p := w.plan
	for _, a := range s.changes {
		if !a.field.KeyOnly {
			w.expectChange(want, free, a)
		}
	}
	if s.verb != "upsert" {
		w.freeZeros(free, fx, s)
		return
	}
	for _, f := range p.Shape.Fields() {
		if _, changed := s.changeOf(f); changed || f.KeyOnly || has(fx.before, f) || f == p.Rest || f == p.Updated || f == p.Version {
			continue
		}
		told := w.fieldOf(s.entity, f)
		switch {
		case p.TableMember(f):
			want[f.Name] = encoded(f, told)
		case f == p.Created && s.zerosCount() && !told.IsZero():
			want[f.Name] = encoded(f, told)
		case f == p.Created:
			want[f.Name] = encoded(f, reflect.ValueOf(w.now))
		case (!told.IsZero() || s.zerosCount()) && p.IndexMember(f):
			setOrDelete(free, f.Name, encoded(f, told))
		}
	}
}

// freeZeros adds the zeros that an update may write. The example is then the item as it was read,
// and the item lacks a member whose zero is a value in a key.
func (w *simulation) freeZeros(free op.Item, fx result, s *call) {
	for _, f := range w.plan.Shape.Fields() {
		_, changed := s.changeOf(f)
		if told := w.fieldOf(s.entity, f); s.zerosCount() && !changed && !f.KeyOnly && told.IsZero() && !has(fx.before, f) && w.plan.IndexMember(f) && f.ZeroIsValue() {
			free[f.Name] = encoded(f, told)
		}
	}
}

func (w *simulation) expectChange(want, free op.Item, a modelChange) {
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

// checkItem compares the item after a step with the expected item.
func (w *simulation) checkItem(fx result, s *call) error {
	if s.verb == "delete" {
		if fx.after != nil {
			return fmt.Errorf("the item is still there")
		}
		return nil
	}
	want, free := w.expected(fx, s)
	fields := maps.Clone(fx.after)
	for _, a := range w.plan.Attrs {
		if a.Rendered() {
			delete(fields, a.Name)
		}
	}
	for name, av := range fields {
		if want[name] == nil && (free[name] == nil || !same(av, free[name])) || want[name] != nil && !same(av, want[name]) {
			return fmt.Errorf("attribute %s is not as it was asked for", name)
		}
	}
	for name := range want {
		if fields[name] == nil && w.plan.KeyAttr(name) == nil || fields[name] == nil && !w.plan.KeyAttr(name).Rendered() {
			return fmt.Errorf("attribute %s is missing", name)
		}
	}
	if err := w.checkKey(fx); err != nil {
		return err
	}
	return w.checkIndexes(fx, s)
}

// checkKey compares the table's key with a new rendering of the item's fields.
func (w *simulation) checkKey(fx result) error {
attributes:
	for a := range w.plan.Table.Attributes() {
		vals := make([]keys.Value, len(a.Members))
		for i, m := range a.Members {
			if m.KeyOnly {
				continue attributes
			}
			var err error
			if vals[i], err = w.member(fx.after, m, nil); err != nil {
				return err
			}
		}
		if av, err := a.Render(vals); err != nil || !same(av, fx.key[a.Name]) {
			return fmt.Errorf("the table's key %s is not made of the item's fields", a.Name)
		}
	}
	return nil
}

// checkIndexes compares every rendered attribute with a new rendering of the item's fields.
func (w *simulation) checkIndexes(fx result, s *call) error {
	keyOnly := w.keyOnlyValues(fx.before, s)
	want, entries, err := w.expectedIndexKeys(fx.after, keyOnly)
	if err != nil {
		return fmt.Errorf("a key cannot be rendered from the item: %w", err)
	}
	for _, a := range w.plan.Attrs {
		if !a.Rendered() {
			continue
		}
		switch have := fx.after[a.Name]; {
		case have == nil && want[a.Name] != nil:
			return fmt.Errorf("index attribute %s is missing", a.Name)
		case have != nil && want[a.Name] == nil:
			return fmt.Errorf("index attribute %s is there and must not be", a.Name)
		case have != nil && !same(have, want[a.Name]):
			return fmt.Errorf("index attribute %s is stale", a.Name)
		}
	}
	w.count(fx, s, entries)
	return w.checkPutAgain(fx.after)
}

// checkPutAgain compares the item with a put of the decoded item. It skips items that lack a
// number, because a put stores it as 0.
func (w *simulation) checkPutAgain(item op.Item) error {
	e := reflect.New(w.plan.Type)
	at := codec.PtrOf(e.Elem())
	for _, x := range w.plan.Indexes {
		for a := range x.Key.Attributes() {
			for _, m := range a.Members {
				if v, err := m.Key(at); (err != nil || !v.IsAbsent()) && (m.KeyOnly || !has(item, m)) {
					return nil
				}
			}
		}
	}
	if err := w.plan.Decode(item, at); err != nil {
		return fmt.Errorf("the item cannot be decoded: %w", err)
	}
	fresh, err := Item(w.plan, at)
	if err != nil {
		return fmt.Errorf("the item cannot be put again: %w", err)
	}
	w.counts.putAgain++
	for _, a := range w.plan.Attrs {
		if have := item[a.Name]; (have == nil) != (fresh[a.Name] == nil) || have != nil && !same(have, fresh[a.Name]) {
			return fmt.Errorf("attribute %s is not what a put of the item would store", a.Name)
		}
	}
	return nil
}
