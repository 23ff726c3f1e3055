package define

import (
	"cmp"
	"fmt"
	"reflect"
	"strings"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
)

// Compile returns the plan of an entity type and its issues. It reads the tags of the type, or spec
// if spec is not nil. The plan is not nil even if there are issues, so that Validate can find
// further issues in it. It is nil if t is not a struct. Compile does not change the schema: call
// Add to add the plan.
func Compile(s *core.Schema, t reflect.Type, m Markers, spec *trestle.Spec) (*core.Plan, []Issue) {
	if t == nil || t.Kind() != reflect.Struct {
		return nil, []Issue{notStruct(t)}
	}
	c := &compiler{schema: s, typ: t, markers: m, spec: spec, plan: &core.Plan{Type: t, Schema: s}}
	c.attributes, c.suggested, c.invalidTags = map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, step := range typeSteps {
		step(c)
	}
	issues := sorted(c.issues)
	for i := range issues {
		issues[i].Type, issues[i].Entity = typeName(t), c.plan.Name
	}
	return c.plan, issues
}

// typeSteps are the steps that compile a type, in order. Each adds the issues that it finds.
var typeSteps = []func(*compiler){
	(*compiler).readSpec,
	(*compiler).readFields,
	(*compiler).compileShape,
	(*compiler).checkNested,
	(*compiler).checkOtherTags,
	(*compiler).addCodecIssues,
	(*compiler).setName,
	(*compiler).assignRoles,
	(*compiler).setLifetime,
	(*compiler).collectTemplates,
	(*compiler).compileKeys,
	(*compiler).checkTenant,
	(*compiler).resolveShards,
	(*compiler).compileUniques,
	(*compiler).compileCounted,
	(*compiler).checkReservedNames,
	(*compiler).selectParsedKeys,
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
	schema      *core.Schema
	typ         reflect.Type
	markers     Markers
	spec        *trestle.Spec // declares the type instead of its tags; may be nil
	specAndTags bool          // tags declare it too; the issue is reported
	keyReported bool          // a blank field has a key's tag but not the marker type; the issue is reported
	plan        *core.Plan

	decl          declaration
	uniques       []*declaredUnique
	counted       []*declaredCount
	declaredRoles []declaredRole
	templates     map[string]*declaredTemplate // the declared templates, by attribute
	keyAttrs      map[string]*core.KeyAttr     // the compiled key attributes, by name; nil if it has issues
	issues        []Issue

	attributes   map[string]bool // the attribute names of the fields visited
	suspectWords []string        // the words in the tags of fields whose tag has issues
	unstored     []string        // the Go paths of the fields whose tag is "-"
	invalidTags  map[string]bool // the Go paths of the fields whose tag has issues
	codecIssues  []codec.Issue
	suggested    map[string]bool       // the attributes that a hint suggests
	nested       map[reflect.Type]bool // the types of nested structs that were checked
	otherNames   map[string]string     // the names in ignored tags of other libraries, with the cause of the issue
}

func notStruct(t reflect.Type) Issue {
	f := place{}.issue("an entity must be a struct type", "define a struct")
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

// compileShape compiles the fields and their codecs.
func (c *compiler) compileShape() { c.plan.Shape, c.codecIssues = codec.Compile(c.typ) }

// addCodecIssues adds the issues that the codec found, except those of tags that have an issue.
func (c *compiler) addCodecIssues() {
	for _, f := range c.codecIssues {
		if c.reported(f) {
			continue
		}
		at := place{field: f.Field, text: f.Tag, pos: c.position(f.Field)}
		if f.Tag != "" {
			at.tag = codec.TagKey
		}
		c.add(at.issue(f.Reason, f.Hint))
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

// reported reports whether the tag of the issue already has an issue.
func (c *compiler) reported(f codec.Issue) bool {
	for _, known := range c.issues {
		if known.Field == f.Field && known.Text == f.Tag && f.Tag != "" {
			return true
		}
	}
	return false
}

// setName sets the entity's name. Stored items contain it, so it must not change when a Go type is
// renamed.
func (c *compiler) setName() {
	c.plan.Name = c.decl.name
	if c.decl.table == nil && !c.keyReported {
		c.add(place{pos: -1}.issue("the type declares no key", c.keyHint()))
	}
	switch {
	case c.plan.Name != "":
	case c.decl.table == nil, c.decl.table.broken, c.schema.TypeAttr == "" && c.typ.Name() != "":
		c.plan.Name = c.typ.Name()
	case c.schema.TypeAttr == "":
		c.add(c.decl.table.at("type").issue("the type has no name", `such as type:"order"`))
	default:
		c.add(c.decl.table.at("type").issue("the type has no name; items store it in "+c.schema.TypeAttr, c.nameHint()))
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
