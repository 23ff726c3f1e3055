package document

import (
	"reflect"
	"slices"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/define"
	"github.com/trestledb/trestle/keys"
)

var (
	rootType  = reflect.TypeFor[Root]()
	partType  = reflect.TypeFor[Part]()
	stateType = reflect.TypeFor[State]()
	largeType = reflect.TypeFor[largeField]()
)

// layouter compiles a document and collects its issues.
type layouter struct {
	*layout
	issues     []trestle.Issue
	structures bool // there is a field that is a struct, which may be a mistaken root
}

func newLayout(s *core.Schema, t reflect.Type) (*layout, []trestle.Issue) {
	c := &layouter{layout: &layout{typ: t, schema: s, state: -1, of: map[*core.Plan]*part{}}}
	if t.Kind() != reflect.Struct {
		c.add("", "a document is a struct", "define a struct whose fields are its parts")
		return nil, c.issues
	}
	if s.Sort.Name == "" || s.Sort.Type != keys.S || s.Partition.Type != keys.S {
		c.add("", "a document needs a table whose partition key and sort key are strings", "use such a table")
	}
	for i := range t.NumField() {
		c.field(i, t.Field(i))
	}
	c.whole()
	return c.layout, c.issues
}

func (c *layouter) add(field, reason, hint string) {
	c.issues = append(c.issues, trestle.Issue{Type: c.typ.String(), Field: field, Offset: -1, Reason: reason, Hint: hint})
}

// field adds a field of the document.
func (c *layouter) field(i int, f reflect.StructField) {
	if f.Type == stateType {
		c.state = i
		return
	}
	p := &part{name: f.Name, index: i}
	of := f.Type
	c.structures = c.structures || of.Kind() == reflect.Struct
	switch {
	case !f.IsExported():
		c.add(f.Name, "the field is not exported", "export it")
		return
	case of.Kind() == reflect.Slice:
		p.many, of = true, of.Elem()
	case of.Kind() == reflect.Pointer:
		of = of.Elem()
	default:
		p.isRoot = true
	}
	for _, plan := range c.schema.Plans {
		if plan.Type == of {
			p.plan = plan
		}
	}
	switch {
	case p.plan == nil:
		c.add(f.Name, of.String()+" is not an entity type of the schema", "define it, or remove the field")
		return
	case c.of[p.plan] != nil:
		c.add(f.Name, "the document already has a field for "+p.plan.Name+": "+c.of[p.plan].name, "keep one")
		return
	}
	if len(p.plan.Table.Partition) == 0 || len(p.plan.Table.Sort) == 0 {
		return // its own issues are reported
	}
	c.part(p, of)
}

// part checks the type of a part, and adds it.
func (c *layouter) part(p *part, of reflect.Type) {
	embedded := partType
	if p.isRoot {
		embedded = rootType
	}
	f, ok := of.FieldByName(embedded.Name())
	if !ok || f.Type != embedded || !f.Anonymous {
		c.add(p.name, p.plan.Name+" does not embed document."+embedded.Name(), p.embedHint())
		return
	}
	if _, tagged := f.Tag.Lookup("dynamodbav"); tagged {
		c.add(p.name, p.plan.Name+" embeds document."+embedded.Name()+" with the tag dynamodbav", "remove the tag: its attributes are those of the item")
		return
	}
	p.revision = f.Index
	p.prefix, _ = p.plan.Table.Sort[0].Template.Prefix()
	c.roles(p)
	c.largeFields(p, of)
	c.parts, c.of[p.plan] = append(c.parts, p), p
	if p.isRoot && c.root == nil {
		c.root = p
	} else if p.isRoot {
		c.add(p.name, "the document already has a root: "+c.root.name, "make the field a pointer to one item, or a slice of items")
	}
}

func (p *part) embedHint() string {
	if p.isRoot {
		return "embed it in the type of the root; the field of another part is a pointer or a slice"
	}
	return "embed it"
}

// roles checks the roles of the type of a part.
func (c *layouter) roles(p *part) {
	plan := p.plan
	if p.isRoot && plan.Version == nil {
		c.add(p.name, plan.Name+" has no version", `give a field of the root the tag entity:"version"`)
	}
	if !p.isRoot && plan.Version != nil {
		c.add(p.name, plan.Name+" has a version of its own", "remove the role: the version of the root is that of the document")
	}
	if plan.TTL != nil && plan.Table.HasMember(plan.TTL) {
		c.add(p.name, plan.Name+" has its time to live in its key", "remove it from the key: a change of the time would change the key")
	}
	if !p.isRoot && plan.Lifetime != 0 {
		c.add(p.name, plan.Name+" has a lifetime of its own", "remove the tag: the time to live of the root is that of the document")
	}
	if plan.Shared {
		c.add(p.name, plan.Name+" shares its key with another type", "give it a key of its own")
	}
	if plan.Table.Partition[0].Shard != nil {
		c.add(p.name, plan.Name+" has a shard in its partition key", "a document is in one partition")
	}
}

// largeFields finds the Large fields of a type.
func (c *layouter) largeFields(p *part, of reflect.Type) {
	for i := range of.NumField() {
		f := of.Field(i)
		tag, tagged := f.Tag.Lookup("document")
		if !reflect.PointerTo(f.Type).Implements(largeType) {
			if tagged {
				c.add(p.name, f.Name+" has the tag document, and is no document.Large", "remove the tag, or change the type")
			}
			continue
		}
		if tag != "" && tag != "compress" {
			c.add(p.name, f.Name+" has an unknown option in the tag document", `the only one is document:"compress"`)
		}
		w := wrapperOf(f.Type.Field(0).Type)
		for _, issue := range w.issues {
			c.add(p.name, f.Name+": "+issue.Reason, issue.Hint)
		}
		for _, issue := range define.OtherTags(of, w.codec) {
			c.add(p.name, f.Name+": "+issue.Reason, issue.Hint)
		}
		p.large = append(p.large, large{name: f.Name, index: f.Index, compress: tag == "compress"})
	}
}

// whole checks what the fields are together.
func (c *layouter) whole() {
	if c.state < 0 {
		c.add("", "the document does not embed document.State", "embed it")
	}
	if c.root == nil && !c.structures {
		c.add("", "the document has no root", "give it a field that is a struct, not a pointer or a slice, of a type that embeds document.Root")
	}
	if c.root == nil {
		return
	}
	if c.root.plan.Tenant != nil && c.schema.TypesOnly {
		c.add("", "the document has a tenant, and TenantIndex of the configuration is None, so nothing would lead to its chunks", "name an index, or leave it empty")
	}
	want := shapeOf(c.root.plan.Table.Partition[0].Template)
	for _, p := range c.parts {
		switch {
		case p.plan.TTL == nil && c.root.plan.TTL != nil:
			c.add(p.name, p.plan.Name+" has no time to live, and the root has one", `give a field of it the tag entity:"ttl": all items of a document expire together`)
		case p.plan.TTL != nil && c.root.plan.TTL == nil:
			c.add(p.name, p.plan.Name+" has a time to live, and the root has none", `give a field of the root the tag entity:"ttl", or remove the role: all items of a document expire together`)
		}
		if !slices.Equal(want, shapeOf(p.plan.Table.Partition[0].Template)) {
			c.add(p.name, p.plan.Name+" has another partition key than the root", "give all parts the same template; only the names of its fields may differ")
		}
	}
}

// shapeOf returns the literals and formats of a template.
func shapeOf(t *keys.Template) (shape []string) {
	shape = append(shape, t.Space().Literals...)
	for i := range t.Fields() {
		shape = append(shape, t.Format(i))
	}
	return shape
}
