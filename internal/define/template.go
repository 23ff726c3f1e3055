package define

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/keysyntax"
	"github.com/trestledb/trestle/keys"
)

// report receives a fault of a template.
type report func(flaw)

// template compiles the template of a key attribute and finds its members. It returns nil if there
// are faults.
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
	flaws := c.flaws(a, text, err)
	for _, f := range flaws {
		fault(f)
	}
	if err != nil || len(flaws) > 0 {
		return nil
	}
	k := &core.KeyAttr{Attribute: a, Template: t}
	for _, p := range t.Fields() {
		f := c.plan.Shape.ByName(p.Name)
		if f == c.plan.Version {
			fault(flaw{p.Offset, "a version changes with every write and cannot be part of a key", "leave <" + p.Name + "> out, or drop the role version", c.own(core.RoleVersion)})
			k = nil
		}
		if k != nil {
			k.Members = append(k.Members, f)
		}
	}
	return k
}

// sorts reports whether an attribute is a sort key of the table or of an index. The size limit of
// sort keys is lower than that of partition keys.
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

// flaw is a fault of a template.
type flaw struct {
	offset       int
	reason, hint string
	cause        string // see blame; may be empty
}

// flaws returns the faults of keys.Compile and the lookalikes, in the order of the text.
func (c *compiler) flaws(a core.Attribute, text string, err error) []flaw {
	alike := c.lookalikes(text)
	if err == nil && alike == nil {
		return nil
	}
	var list []flaw
	for _, l := range alike {
		list = append(list, c.flaw(l, a.Type))
	}
	var faults keys.Faults
	if err != nil && !errors.As(err, &faults) {
		list = append(list, flaw{reason: err.Error()})
	}
	placeholders := make(map[int]keysyntax.Placeholder, len(faults))
	for _, p := range keysyntax.Placeholders(text) {
		placeholders[p.Offset] = p
	}
	for _, f := range faults {
		p, ok := placeholders[f.Offset]
		ok = ok && f.Text != "" // otherwise the fault is in the whole template
		switch {
		case slices.ContainsFunc(alike, func(l lookalike) bool { return l.explains(f) }):
		case !ok:
			list = append(list, c.inWords(a, f))
		case c.plan.Shape.ByName(p.Name) == nil && p.Name != shard && c.explained(p.Name):
		default:
			list = append(list, c.unusable(a, p, f))
		}
	}
	slices.SortStableFunc(list, func(a, b flaw) int { return a.offset - b.offset })
	return list
}

// inWords returns the fault of a template's text. If the configuration may be wrong instead, all
// such templates share one cause.
func (c *compiler) inWords(a core.Attribute, f *keys.SyntaxError) flaw {
	made := flaw{offset: f.Offset, reason: f.Reason, hint: f.Hint}
	switch {
	case f.Text == "" && a.Type != keys.S && !lone(f.Template):
		made.reason = fmt.Sprintf("%s is of type %s, and a key with literal text or of several parts is of type S", a.Name, a.Type)
		made.hint = "make " + a.Name + " of type S, or write one placeholder alone"
		made.cause = "type of " + a.Name
	case f.Text != "" && !strings.HasPrefix(f.Text, c.schema.Delimiter) && strings.ContainsAny(f.Text[:1], delimiters):
		made.hint += "; or configure the delimiter " + f.Text[:1]
		made.cause = "delimiter " + f.Text[:1]
	}
	return made
}

// lone reports whether a template is one placeholder and nothing else.
func lone(template string) bool {
	return strings.HasPrefix(template, "<") && strings.IndexByte(template, '>') == len(template)-1
}

// delimiters lists the characters that tables commonly use to separate the parts of a key.
const delimiters = "#|/-_:;.,~"

// mismatch returns why a field cannot be a key attribute without a format. It returns "" if the
// field can, or if its type cannot be part of any key.
func mismatch(a core.Attribute, f *codec.Field, kind keys.Kind) (reason, hint string) {
	stored := f.Wire() &^ codec.WireNULL
	switch {
	case kind == 0 || kind == keys.KindTime || stored == wireOf(a.Type) || adapts(kind, a.Type, stored):
		return "", ""
	default:
		if f.AsString && a.Type == keys.N {
			return fmt.Sprintf("%s is stored as %s", article(f.Node.Type), stored), "leave out the option string"
		}
		return fmt.Sprintf("%s is stored as %s", article(f.Node.Type), stored),
			"configure the attribute with another type, change the type of the field, or give the field another name by its tag"
	}
}

// adapts reports whether a type with its own encoding can be stored as its key text instead.
func adapts(kind keys.Kind, want keys.AttrType, stored codec.Wire) bool {
	return stored == codec.WireAny&^codec.WireNULL || kind == keys.KindText && want == keys.S
}

// store makes a field store the value of its key attribute. It returns a reason and a hint if that
// is impossible.
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
