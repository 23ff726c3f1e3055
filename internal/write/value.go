package write

import (
	"reflect"
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/fail"
	"github.com/trestledb/trestle/keys"
)

// value is a field's value as a member of keys. It is the value that a reader of the item will find, which may be less exact than the one
// at hand: a key that is rendered from it is what a rendering from the item gives.
func value(p *core.Plan, f *codec.Field, at codec.Ptr) (keys.Value, error) {
	v, err := f.Key(at)
	if err != nil {
		return v, err
	}
	return stored(p, f, v)
}

// stored is what becomes of a value when it is stored and read back.
func stored(p *core.Plan, f *codec.Field, v keys.Value) (keys.Value, error) {
	if v.IsAbsent() || !rounds(p, f) {
		return v, nil
	}
	e := blank(p)
	if err := f.SetKey(v, e); err != nil {
		return keys.Value{}, err
	}
	av, err := f.Encode(e)
	if av == nil || err != nil {
		return keys.Value{}, err
	}
	e = blank(p)
	if err := f.Decode(av, e); err != nil {
		return keys.Value{}, err
	}
	return f.Key(e)
}

// attribute is a field as it is stored; nil where it is left out.
func attribute(f *codec.Field, at codec.Ptr) (types.AttributeValue, error) {
	av, err := f.Encode(at)
	return av, fail.Because(f.Name, err)
}

// rounds reports whether a field's attribute may hold less than the field: a time in seconds, a text that is folded, a time to live of 0.
func rounds(p *core.Plan, f *codec.Field) bool {
	if f.KeyOnly || !f.CanSetKey() {
		return false
	}
	if f.UnixTime || f == p.TTL {
		return true
	}
	a := native(p, f)
	return a != nil && !a.Template.Lossless(0)
}

// native is the key attribute that the field stands for; nil where it stands for none.
func native(p *core.Plan, f *codec.Field) *core.KeyAttr {
	for _, a := range p.Attrs {
		if a.Field == f {
			return a
		}
	}
	return nil
}

// suits checks a value of a field that is a key attribute of an index by itself: the service has limits for those, and some texts are reserved.
func suits(p *core.Plan, f *codec.Field, v keys.Value) error {
	a := native(p, f)
	if a == nil || a.Table || v.IsAbsent() {
		return nil
	}
	_, err := a.Template.Render(v)
	return err
}

// certain reports whether the table's key holds all that is stored of a field: then whoever names the key knows the field.
func certain(p *core.Plan, f *codec.Field) bool {
	for a := range p.Table.Sides() {
		for i, m := range a.Members {
			if m == f && (a.Field == f || a.Template.Lossless(i)) {
				return true
			}
		}
	}
	return false
}

// settles reports whether the table's key settles what a member of another key is written as: it holds the field whole, or in the same format.
func settles(p *core.Plan, a *core.KeyAttr, i int) bool {
	f := a.Members[i]
	if certain(p, f) {
		return true
	}
	for t := range p.Table.Sides() {
		for j, m := range t.Members {
			if m == f && t.Template.Fields()[j].Format == a.Template.Fields()[i].Format {
				return true
			}
		}
	}
	return false
}

// holders lists the attributes that hold a field: its own, or the keys that it is parsed back from.
func holders(p *core.Plan, f *codec.Field) []string {
	if !f.KeyOnly {
		return []string{f.Name}
	}
	var names []string
	for _, a := range p.Attrs {
		for i, m := range a.Members {
			if m == f && a.Parse != nil && a.Parse[i] {
				names = append(names, a.Name)
			}
		}
	}
	return names
}

// blank is a new zero entity.
func blank(p *core.Plan) codec.Ptr { return codec.PtrOf(reflect.New(p.Type).Elem()) }

// fieldSet is a set of fields that keeps their order.
type fieldSet []*codec.Field

func (s *fieldSet) add(fields ...*codec.Field) {
	for _, f := range fields {
		if !s.has(f) {
			*s = append(*s, f)
		}
	}
}

func (s fieldSet) has(f *codec.Field) bool {
	return slices.Contains(s, f)
}
