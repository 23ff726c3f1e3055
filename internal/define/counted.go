package define

import (
	"fmt"
	"reflect"
	"regexp"
	"strings"
	"sync"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/keysyntax"
	"github.com/trestledb/trestle/internal/tag"
	"github.com/trestledb/trestle/keys"
)

// declaredCount is a count that a marker or a Spec declares.
type declaredCount struct {
	*entry
	in, as string
}

// countedTags are the keys of the marker's tag.
var countedTags = []string{"in", "as", "pk", "sk"}

// readCountedMarker adds a marker of a count to the declaration.
func (c *compiler) readCountedMarker(e *entry, pairs tag.Pairs) {
	d := &declaredCount{entry: e}
	d.in, _ = pairs.Lookup("in")
	d.as, _ = pairs.Lookup("as")
	if d.in != "" {
		e.field += " " + d.in
	}
	c.counted = append(c.counted, d)
}

// compileCounted compiles the counts of the type. Validate finds the types that hold them.
func (c *compiler) compileCounted() {
	for _, d := range c.counted {
		switch {
		case d.broken:
			continue
		case d.in == "":
			c.add(d.at("in").issue("the type of the counting item is missing", "name it by its type name"))
			continue
		case d.as == "":
			c.add(d.at("as").issue("the attribute that holds the count is missing", "name an integer attribute of that type"))
			continue
		}
		pk := c.compileCountedSide(d, partition, c.schema.PartitionKey())
		sk := c.compileCountedSide(d, sort, c.schema.SortKey())
		// A side with an issue is missing. The rest of the declaration is still checked.
		c.plan.Counted = append(c.plan.Counted, &core.Counted{In: d.in, As: d.as, Place: d.field, Key: core.Key{Partition: pk, Sort: sk}})
	}
}

// compileCountedSide compiles one half of the key of a counting item. It returns nil after an
// issue, and for a table without a sort key.
func (c *compiler) compileCountedSide(d *declaredCount, s side, attrs []core.Attribute) []*core.KeyAttr {
	if len(attrs) == 0 {
		if d.given[s] {
			c.add(d.side(s).issue("the table has no sort key", "leave sk out"))
		}
		return nil
	}
	if !d.given[s] || d.sides[s] == "" {
		c.add(d.at(s.tag()).issue("the "+s.String()+" key of the counting item has no template", "write the template of "+d.in+", with fields of this type"))
		return nil
	}
	if c.addShardOutsideKey(d.side(s), "count in an item whose key has no shard") {
		return nil
	}
	k, issues := c.compileTemplate(attrs[0], d.sides[s])
	for _, f := range issues {
		c.addShared(f.Cause, d.side(s).issueAt(f.Offset, f.Reason, f.Hint))
	}
	if k == nil || c.addIndexOnly(d.side(s), k) {
		return nil
	}
	return []*core.KeyAttr{k}
}

// placeholderName matches the name of a placeholder.
var placeholderName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`<[^:<>]*`) })

// counts resolves the types that count others, and checks the counts.
func counts(s *core.Schema) (issues []Issue) {
	for _, p := range s.Plans {
		for _, c := range p.Counted {
			if reason, hint := resolveCount(s, p, c); reason != "" {
				issues = append(issues, typeIssue(p, c.Place, "in", c.In, reason, hint))
			}
		}
	}
	return issues
}

// resolveCount finds the type that holds a count. It returns a reason and a hint if it cannot.
func resolveCount(s *core.Schema, p *core.Plan, c *core.Counted) (reason, hint string) {
	for _, parent := range s.Plans {
		if parent.Name == c.In {
			c.Parent = parent
		}
	}
	if c.Parent == nil {
		var names []string
		for _, other := range s.Plans {
			names = append(names, other.Name)
		}
		if meant := tag.Suggest(c.In, names); meant != "" {
			return "the schema has no type " + quote(c.In), "did you mean " + meant + "?"
		}
		return "the schema has no type " + quote(c.In), "the types are " + joinWords(names)
	}
	f := c.Parent.Shape.ByName(c.As)
	switch {
	case p.TTL != nil:
		return "the type has a time to live, and DynamoDB would delete its items without counting", "drop the role ttl, or count with a stream"
	case f == nil:
		return fmt.Sprintf("%s has no attribute %q", typeName(c.Parent.Type), c.As), "add an int64 field for the count"
	case !countable(f):
		return fmt.Sprintf("the count %s must be an integer that is stored as N, but %s", c.As, fieldAndType(f)), "declare it int64"
	case f == c.Parent.Version || c.Parent.TableMember(f) || renderedMember(c.Parent, f):
		return fmt.Sprintf("the count %s is a version or a part of a key, which an addition cannot change", c.As), "use a field of its own"
	}
	if c.Parent.Table.Sharded() != nil {
		return "the key of a " + c.In + " has a shard, and items of other types cannot find it", "count in an item whose key has no shard"
	}
	for i, a := range c.Parent.Table.Partition[:len(c.Key.Partition)] {
		if reason, hint := sameTemplate(c, a, c.Key.Partition[i], "pk"); reason != "" {
			return reason, hint
		}
	}
	for i, a := range c.Parent.Table.Sort[:len(c.Key.Sort)] {
		if reason, hint := sameTemplate(c, a, c.Key.Sort[i], "sk"); reason != "" {
			return reason, hint
		}
	}
	if reason, hint := tenantOfCount(p, c); reason != "" {
		return reason, hint
	}
	c.Field = f
	if !c.Parent.Counts(f) {
		c.Parent.Counters = append(c.Parent.Counters, f)
	}
	return "", ""
}

func countable(f *codec.Field) bool {
	switch f.Node.Type.Kind() {
	case reflect.Int, reflect.Int64, reflect.Int32, reflect.Uint, reflect.Uint64, reflect.Uint32:
		return f.Wire()&^codec.WireNULL == codec.WireN && !f.KeyOnly && !inPackageTime(f.Node.Type)
	default:
		return false
	}
}

// renderedMember reports whether a rendered key or a unique value contains the field.
func renderedMember(p *core.Plan, f *codec.Field) bool {
	for _, a := range p.Attrs {
		for _, m := range a.Members {
			if m == f && a.Field != f {
				return true
			}
		}
	}
	return p.CompanionMember(f)
}

// sameTemplate compares the template of a count with that of the counting type. Only the names of
// fields may differ.
func sameTemplate(c *core.Counted, parent, own *core.KeyAttr, side string) (reason, hint string) {
	want, got := parent.Template.String(), own.Template.String()
	if placeholderName().ReplaceAllString(want, "<") == placeholderName().ReplaceAllString(got, "<") && sameKinds(parent, own) {
		return "", ""
	}
	return fmt.Sprintf("%s is not the key of a %s, which has the template %s", got, c.In, want), "its " + side + " with the fields of this type is " + withFields(want, own)
}

func sameKinds(a, b *core.KeyAttr) bool {
	for i, f := range a.Template.Fields() {
		if b.Template.Fields()[i].Kind != f.Kind && f.Kind != keys.KindText {
			return false
		}
	}
	return true
}

// withFields returns a template with the fields of another, as far as they go.
func withFields(template string, own *core.KeyAttr) string {
	names := own.Template.Fields()
	for i, p := range keysyntax.Placeholders(template) {
		if i < len(names) {
			template = strings.Replace(template, "<"+p.Name, "<"+names[i].Name, 1)
		}
	}
	return template
}
