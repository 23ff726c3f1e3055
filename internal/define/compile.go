package define

import (
	"cmp"
	"fmt"
	"reflect"
	"strings"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
)

// Compile returns the plan of an entity type and its faults. It reads the tags of the type, or spec
// if spec is not nil. The plan is not nil even if there are faults, so that Seal can find further
// faults in it. It is nil if t is not a struct. Compile does not change the schema: call Add to add
// the plan.
func Compile(s *core.Schema, t reflect.Type, m Markers, spec *Spec) (*core.Plan, []Fault) {
	if t == nil || t.Kind() != reflect.Struct {
		return nil, []Fault{notStruct(t)}
	}
	c := &compiler{schema: s, typ: t, markers: m, spec: spec != nil, plan: &core.Plan{Type: t, Schema: s}}
	c.met, c.suggested, c.doubtful = map[string]bool{}, map[string]bool{}, map[string]bool{}
	if spec != nil {
		c.fromSpec(spec)
	}
	c.walk()
	c.shape()
	c.name()
	c.roles(spec)
	c.collect()
	c.keys()
	c.taken()
	c.parseBack()
	faults := sorted(c.faults)
	for i := range faults {
		faults[i].Type, faults[i].Entity = typeName(t), c.plan.Name
	}
	return c.plan, faults
}

// typeName returns the name of a type for error messages.
func typeName(t reflect.Type) string {
	if t.Name() == "" && t.Kind() == reflect.Struct {
		return "an unnamed struct"
	}
	return t.String()
}

// compiler compiles one type into a plan.
type compiler struct {
	schema  *core.Schema
	typ     reflect.Type
	markers Markers
	spec    bool // a Spec declares the type
	twofold bool // tags declare it too; the fault is reported
	meant   bool // a blank field has a key's tag but not the marker type; the fault is reported
	plan    *core.Plan

	decl   declaration
	roled  []roleText
	wanted map[string]*rendering    // the declared templates, by attribute
	made   map[string]*core.KeyAttr // the compiled key attributes, by name; nil if faulty
	faults []located

	met       map[string]bool // the attribute names of the fields visited
	suspect   []string        // the words in the tags of faulty fields
	unstored  []string        // the Go paths of the fields whose tag is "-"
	doubtful  map[string]bool // the Go paths of the fields with a faulty tag
	misshapen bool            // the codec found faults
	suggested map[string]bool // the attributes that a hint suggests
}

func (c *compiler) add(f located) { c.faults = append(c.faults, f) }

func notStruct(t reflect.Type) Fault {
	f := Fault{Offset: -1, Reason: "an entity is a struct type", Hint: "define a struct"}
	if t == nil {
		f.Type = "nil"
		return f
	}
	f.Type = typeName(t)
	if t.Kind() == reflect.Pointer && t.Elem().Kind() == reflect.Struct {
		f.Hint = "define " + t.Elem().String() + ", without the *"
	}
	return f
}

// shape compiles the fields and their codecs.
func (c *compiler) shape() {
	shape, faults := codec.Compile(c.typ)
	c.plan.Shape = shape
	c.misshapen = len(faults) > 0
	c.nested()
	for _, f := range faults {
		pos := c.position(f.Field)
		if c.reported(f) {
			continue
		}
		out := Fault{Field: f.Field, Text: f.Tag, Offset: -1, Reason: f.Reason, Hint: f.Hint}
		if f.Tag != "" {
			out.Tag = codec.TagKey
		}
		c.add(located{out, pos})
	}
}

// position returns the index of the field that a Go path starts with.
func (c *compiler) position(path string) int {
	first, _, _ := strings.Cut(path, ".")
	if f, ok := c.typ.FieldByName(first); ok {
		return f.Index[0]
	}
	return 0
}

// reported reports whether the tag of the fault already has a fault.
func (c *compiler) reported(f codec.Fault) bool {
	for _, known := range c.faults {
		if known.Field == f.Field && known.Text == f.Tag && f.Tag != "" {
			return true
		}
	}
	return false
}

// name sets the entity's name. Stored items contain it, so it must not change when a Go type is
// renamed.
func (c *compiler) name() {
	c.plan.Name = c.decl.name
	if c.decl.table == nil && !c.meant {
		c.add(located{Fault{Offset: -1, Reason: "the type declares no key", Hint: c.keyHint()}, -1})
	}
	switch {
	case c.plan.Name != "":
	case c.decl.table == nil, c.decl.table.broken, c.schema.TypeAttr == "" && c.typ.Name() != "":
		c.plan.Name = c.typ.Name()
	case c.schema.TypeAttr == "":
		c.add(c.decl.table.at("type", "the type has no name", `such as type:"order"`))
	default:
		c.add(c.decl.table.at("type", "the type has no name, and every item is to carry it in "+c.schema.TypeAttr, c.nameHint()))
		c.plan.Name = c.typ.Name()
	}
}

func (c *compiler) nameHint() string { return fmt.Sprintf("such as type:%q", c.likelyName()) }

func (c *compiler) likelyName() string { return strings.ToLower(cmp.Or(c.typ.Name(), "order")) }

// keyHint returns a hint that contains a valid marker.
func (c *compiler) keyHint() string {
	template := c.example()
	hint := fmt.Sprintf("add _ %s `type:%q pk:%q", c.markers.Key, c.likelyName(), template)
	if c.schema.Sort.Name != "" {
		hint += fmt.Sprintf(" sk:%q", template)
	}
	return hint + "` at the top of the struct"
}
