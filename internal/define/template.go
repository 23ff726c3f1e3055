package define

import (
	"errors"
	"fmt"
	"strings"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/tag"
	"github.com/trestledb/trestle/keys"
)

// report takes a fault of a template and its offset.
type report func(offset int, reason, hint string)

// template compiles the text of a key attribute and finds its members; nil where there are faults.
func (c *compiler) template(a core.Attribute, text string, fault report) *core.KeyAttr {
	s := c.schema
	t, err := keys.Compile(text, keys.Options{
		Type: a.Type, Delimiter: s.Delimiter, Raw: s.Raw, Formats: s.Formats, Partition: !sorts(s, a.Name),
		Kind: func(name string) (keys.Kind, bool) {
			f := c.plan.Shape.ByName(name)
			if f == nil {
				return 0, false
			}
			return f.KeyKind()
		},
	})
	if err != nil {
		c.templateFaults(text, err, fault)
		return nil
	}
	k := &core.KeyAttr{Attribute: a, Template: t}
	ok := true
	for _, p := range t.Fields() {
		f := c.plan.Shape.ByName(p.Name)
		if f == c.plan.Version {
			fault(p.Offset, "a version is advanced by the table itself and cannot be part of a key", "")
			ok = false
		}
		k.Members = append(k.Members, f)
	}
	if !ok {
		return nil
	}
	return k
}

// sorts reports whether an attribute is the sort key of the table or of an index, which is shorter than a partition key.
func sorts(s *core.Schema, attribute string) bool {
	if s.Sort.Name == attribute {
		return true
	}
	for _, x := range s.Indexes {
		for _, a := range x.Sort {
			if a.Name == attribute {
				return true
			}
		}
	}
	return false
}

// templateFaults reports what the compiler of keys found, in the words of this type.
func (c *compiler) templateFaults(text string, err error, fault report) {
	var faults keys.Faults
	if !errors.As(err, &faults) {
		fault(0, err.Error(), "")
		return
	}
	syntax, _ := keys.Parse(text)
	for _, f := range faults {
		reason, hint := f.Reason, f.Hint
		for _, p := range syntax.Fields() {
			if p.Offset == f.Offset {
				if r, h := c.unusable(p); r != "" {
					reason, hint = r, h
				}
			}
		}
		fault(f.Offset, reason, hint)
	}
}

// unusable says why a placeholder's name cannot be used, if that is so.
func (c *compiler) unusable(p keys.Field) (reason, hint string) {
	if p.Name == "shard" {
		return "", ""
	}
	f := c.plan.Shape.ByName(p.Name)
	if f == nil {
		return "the type has no attribute " + quote(p.Name), c.didYouMean(p.Name)
	}
	if _, ok := f.KeyKind(); !ok {
		return notKeyable(f), ""
	}
	return "", ""
}

// didYouMean suggests an attribute of the type.
func (c *compiler) didYouMean(name string) string {
	var names []string
	for _, f := range c.plan.Shape.Fields() {
		if f.GoName == name {
			return fmt.Sprintf("templates name attributes: %s is stored as <%s>", name, f.Name)
		}
		names = append(names, f.Name)
	}
	if head, _, nested := strings.Cut(name, "."); nested && c.plan.Shape.ByName(head) != nil {
		return "a key is made of the item's own attributes, not of what is inside one"
	}
	if meant := tag.Suggest(name, names); meant != "" {
		return "did you mean <" + meant + ">?"
	}
	return "it has " + list(names)
}

// mismatch says why a field that stands for a key attribute, without a format, cannot have its type; empty where it can, or where
// it cannot be part of a key at all.
func mismatch(a core.Attribute, f *codec.Field, kind keys.Kind) (reason, hint string) {
	stored := f.Wire() &^ codec.WireNULL
	switch {
	case kind == 0 || kind == keys.KindTime || stored == wireOf(a.Type) || adapts(kind, a.Type, stored):
		return "", ""
	default:
		return fmt.Sprintf("%s is stored as %s", f.Node.Type, stored), "configure the attribute's type, or change the field's"
	}
}

// adapts reports whether a type that stores itself in a way of its own can be stored as its key text instead.
func adapts(kind keys.Kind, want keys.AttrType, stored codec.Wire) bool {
	return stored == codec.WireAny&^codec.WireNULL || kind == keys.KindText && want == keys.S
}

// store makes a field hold what its key attribute takes; a reason says why it cannot.
func (c *compiler) store(k *core.KeyAttr, f *codec.Field, formatted bool) (reason, hint string) {
	k.Field = f
	kind, _ := f.KeyKind()
	stored := f.Wire() &^ codec.WireNULL
	if stored == wireOf(k.Type) && !formatted {
		return "", ""
	}
	if formatted || adapts(kind, k.Type, stored) {
		if err := f.StoreKey(k.Template); err == nil {
			return "", ""
		}
	}
	return mismatch(k.Attribute, f, kind)
}

func wireOf(t keys.AttrType) codec.Wire {
	switch t {
	case keys.N:
		return codec.WireN
	case keys.B:
		return codec.WireB
	default:
		return codec.WireS
	}
}
