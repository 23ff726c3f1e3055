package define

import (
	"errors"
	"fmt"
	"slices"
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
	if flaws := c.flaws(text, err); len(flaws) > 0 {
		for _, f := range flaws {
			fault(f.offset, f.reason, f.hint)
		}
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

// flaw is a fault of a template, in the words of this type.
type flaw struct {
	offset       int
	reason, hint string
}

// flaws lists what the compiler of keys found, and the literal text that was not meant as such, in the order of the text.
func (c *compiler) flaws(text string, err error) []flaw {
	alike := c.lookalikes(text)
	if err == nil && alike == nil {
		return nil
	}
	var list []flaw
	for _, l := range alike {
		list = append(list, c.flaw(l))
	}
	var faults keys.Faults
	if err != nil && !errors.As(err, &faults) {
		list = append(list, flaw{0, err.Error(), ""})
	}
	syntax, _ := keys.Parse(text)
	for _, f := range faults {
		if slices.ContainsFunc(alike, func(l lookalike) bool { return l.explains(f) }) {
			continue
		}
		reason, hint := f.Reason, f.Hint
		for _, p := range syntax.Fields() {
			if p.Offset == f.Offset {
				if r, h := c.unusable(p); r != "" {
					reason, hint = r, h
				}
			}
		}
		list = append(list, flaw{f.Offset, reason, hint})
	}
	slices.SortStableFunc(list, func(a, b flaw) int { return a.offset - b.offset })
	return list
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
		return notKeyable(f)
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
	if hidden, ok := c.typ.FieldByNameFunc(func(field string) bool { return strings.EqualFold(field, name) }); ok && !hidden.IsExported() && name != "_" {
		return "export the field " + hidden.Name + ": only exported ones are stored"
	}
	if len(names) == 0 {
		return c.whyEmpty()
	}
	return "it has " + list(names)
}

// whyEmpty says why a type has no attribute at all.
func (c *compiler) whyEmpty() string {
	for i := range c.typ.NumField() {
		if f := c.typ.Field(i); f.Name != "_" && f.IsExported() {
			return "none of its fields is stored"
		}
	}
	return "it has no exported field, and only those are stored"
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
