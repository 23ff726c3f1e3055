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

// compileTemplate compiles the template of a key attribute and finds its members. The key attribute
// is nil if there are issues. The issues have offsets in the template and no place.
func (c *compiler) compileTemplate(a core.Attribute, text string) (*core.KeyAttr, []Issue) {
	return c.compileTemplateWith(a, text, c.keyOptions())
}

// keyOptions returns the options of templates of the schema.
func (c *compiler) keyOptions() keys.Options {
	return keys.Options{Delimiter: c.schema.Delimiter, Raw: c.schema.Raw}
}

// compileTemplateWith is compileTemplate with another delimiter or mode.
func (c *compiler) compileTemplateWith(a core.Attribute, text string, o keys.Options) (*core.KeyAttr, []Issue) {
	o.Type, o.Formats, o.Partition = a.Type, c.schema.Formats, !isSortKey(c.schema, a.Name)
	o.Kind = func(name string) (keys.Kind, bool) {
		f := c.plan.Shape.ByName(name)
		if f == nil {
			return 0, false
		}
		return f.KeyKind()
	}
	t, err := keys.Compile(text, o)
	issues := c.templateIssues(a, text, err)
	if err != nil || len(issues) > 0 {
		return nil, issues
	}
	k := &core.KeyAttr{Attribute: a, Template: t}
	for _, p := range t.Fields() {
		if p.Name == shardPlaceholder {
			k.Members = append(k.Members, c.shardMember(k, p))
			continue
		}
		f := c.plan.Shape.ByName(p.Name)
		if f == c.plan.Version {
			issue := place{}.issueAt(p.Offset, "a version changes with every write and cannot be part of a key", "remove <"+p.Name+">, or drop the role version")
			issue.Cause = c.typeCause(core.RoleVersion)
			issues = append(issues, issue)
		}
		k.Members = append(k.Members, f)
	}
	if len(issues) > 0 {
		return nil, issues
	}
	return k, nil
}

// isSortKey reports whether an attribute is a sort key of the table or of an index. The size limit
// of sort keys is lower than that of partition keys.
func isSortKey(s *core.Schema, attribute string) bool {
	is := func(a core.Attribute) bool { return a.Name == attribute }
	return is(s.Sort) || slices.ContainsFunc(s.Indexes, func(x *core.Index) bool { return slices.ContainsFunc(x.Sort, is) })
}

// templateIssues returns the issues of keys.Compile and the suspect placeholders, in the order of
// the text.
func (c *compiler) templateIssues(a core.Attribute, text string, err error) []Issue {
	alike := c.suspectPlaceholders(text)
	if err == nil && alike == nil {
		return nil
	}
	var list []Issue
	for _, l := range alike {
		list = append(list, c.suspectIssue(l, a.Type))
	}
	var issues keys.Issues
	if err != nil && !errors.As(err, &issues) {
		list = append(list, place{}.issueAt(0, err.Error(), ""))
	}
	placeholders := make(map[int]keysyntax.Placeholder, len(issues))
	for _, p := range keysyntax.Placeholders(text) {
		placeholders[p.Offset] = p
	}
	for _, f := range issues {
		p, ok := placeholders[f.Offset]
		ok = ok && f.Text != "" // otherwise the issue is in the whole template
		switch {
		case slices.ContainsFunc(alike, func(l suspectPlaceholder) bool { return l.explains(f) }):
		case !ok:
			list = append(list, c.textIssue(a, f))
		case c.plan.Shape.ByName(p.Name) == nil && p.Name != shardPlaceholder && c.explained(p.Name):
		default:
			list = append(list, c.placeholderIssue(a, p, f))
		}
	}
	slices.SortStableFunc(list, func(a, b Issue) int { return a.Offset - b.Offset })
	return list
}

// textIssue returns the issue of a template's text. If the configuration may be wrong instead, all
// such templates share one cause.
func (c *compiler) textIssue(a core.Attribute, f *keys.SyntaxError) Issue {
	made := place{}.issueAt(f.Offset, f.Reason, f.Hint)
	switch {
	case f.Text == "" && a.Type != keys.S && !singlePlaceholder(f.Template):
		made.Reason = fmt.Sprintf("%s is of type %s, but a key with literal text or several placeholders must be of type S", a.Name, a.Type)
		made.Hint = "make " + a.Name + " of type S, or write only one placeholder"
		made.Cause = "type of " + a.Name
	case f.Text != "" && !strings.HasPrefix(f.Text, c.schema.Delimiter) && strings.ContainsAny(f.Text[:1], delimiters):
		made.Hint += "; or configure the delimiter " + f.Text[:1]
		made.Cause = "delimiter " + f.Text[:1]
	}
	return made
}

// singlePlaceholder reports whether a template is one placeholder and nothing else.
func singlePlaceholder(template string) bool {
	return strings.HasPrefix(template, "<") && strings.IndexByte(template, '>') == len(template)-1
}

// delimiters lists the characters that tables commonly use to separate the parts of a key.
const delimiters = "#|/-_:;.,~"

// mismatch returns why a field cannot be a key attribute without a format. It returns "" if the
// field can, or if its type cannot be part of any key.
func mismatch(a core.Attribute, f *codec.Field, kind keys.Kind) (reason, hint string) {
	stored := f.Wire() &^ codec.WireNULL
	switch {
	case kind == 0 || kind == keys.KindTime || stored == codec.KeyWire(a.Type) || canStoreKeyText(kind, a.Type, stored):
		return "", ""
	default:
		if f.Has(codec.AsString) && a.Type == keys.N {
			return fmt.Sprintf("%s is stored as %s", article(f.Node.Type), stored), "leave out the option string"
		}
		return fmt.Sprintf("%s is stored as %s", article(f.Node.Type), stored),
			"configure the attribute with another type, change the type of the field, or give the field another name by its tag"
	}
}

// canStoreKeyText reports whether a type with its own encoding can be stored as its key text
// instead.
func canStoreKeyText(kind keys.Kind, want keys.AttrType, stored codec.Wire) bool {
	return stored == codec.WireAny&^codec.WireNULL || kind == keys.KindText && want == keys.S
}

// storeAsKey makes a field store the value of its key attribute. It returns a reason and a hint if
// that is impossible.
func (c *compiler) storeAsKey(k *core.KeyAttr, f *codec.Field, formatted bool) (reason, hint string) {
	k.Field = f
	kind, _ := f.KeyKind()
	stored := f.Wire() &^ codec.WireNULL
	if stored == codec.KeyWire(k.Type) && !formatted {
		return "", ""
	}
	if formatted || canStoreKeyText(kind, k.Type, stored) {
		if err := f.StoreKey(k.Template); err == nil {
			return "", ""
		}
	}
	return mismatch(k.Attribute, f, kind)
}

// placeholderOf returns a placeholder for a field. It has a format if the key attribute needs one.
func placeholderOf(f *codec.Field, t keys.AttrType) string {
	options := keys.Options{Type: t, Kind: func(string) (keys.Kind, bool) { return f.KeyKind() }}
	for _, format := range []string{"", ":08", ":ord", ":s", ":unix", ":hex"} {
		if _, err := keys.Compile("<x"+format+">", options); err == nil {
			return "<" + f.Name + format + ">"
		}
	}
	return "<" + f.Name + ">"
}

// example returns a possible template for the type. It uses the first field that can be in a key.
func (c *compiler) example() string {
	field := "<id>"
	for _, f := range c.plan.Shape.Fields() {
		if kind, ok := f.KeyKind(); ok && kind != keys.KindBool {
			field = placeholderOf(f, keys.S)
			break
		}
	}
	return strings.ToUpper(c.likelyName()) + c.schema.Delimiter + field
}
