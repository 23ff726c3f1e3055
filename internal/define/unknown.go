package define

import (
	"fmt"
	"reflect"
	"strings"
	"unicode"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/keysyntax"
	"github.com/trestledb/trestle/internal/tag"
	"github.com/trestledb/trestle/keys"
)

// placeholderIssue returns the issue of a placeholder. If its field is the cause, all placeholders
// of the field share one issue.
func (c *compiler) placeholderIssue(a core.Attribute, p keysyntax.Placeholder, found *keys.SyntaxError) Issue {
	f := c.plan.Shape.ByName(p.Name)
	made := place{}.issueAt(p.Offset, found.Reason, found.Hint)
	switch {
	case p.Name == shardPlaceholder:
		made.Hint = strings.TrimSuffix(made.Hint, ", or set the number of shards")
	case f == nil:
		made.Reason, made.Hint = c.unknownAttribute(p.Name, func(name string) string { return "<" + name + ">" })
		made.Cause = c.typeCause("no attribute " + p.Name)
		if cause := c.otherNames[p.Name]; cause != "" {
			made.Cause = cause
		}
	default:
		c.explainField(&made, a, p, f)
	}
	return made
}

// explainField describes why a field cannot be in a key attribute. The cause is the field's type,
// the attribute's type, or the format.
func (c *compiler) explainField(made *Issue, a core.Attribute, p keysyntax.Placeholder, f *codec.Field) {
	kind, ok := f.KeyKind()
	number := kind == keys.KindInt || kind == keys.KindUint || kind == keys.KindFloat || kind == keys.KindTime
	switch {
	case !ok:
		made.Reason, made.Hint = notKeyable(f)
		made.Cause = c.fieldCause(f)
		if f.Node.TimeText() && p.Format == "" {
			made.Hint += ", and write <" + p.Name + ":s>"
		}
	case a.Type == keys.N && !number, a.Type == keys.B && kind != keys.KindBytes:
		takes := map[keys.AttrType]string{keys.N: "a number or a time", keys.B: "a []byte"}[a.Type]
		made.Reason = fmt.Sprintf("%s is of type %s and holds %s, but %s is %s", a.Name, a.Type, takes, f.GoName, article(f.Node.Type))
		made.Hint = "use another field, or make " + a.Name + " of type S"
		made.Cause = "type of " + a.Name
	case a.Type != keys.S:
	case !c.knownFormat(p.FullFormat()):
		made.Cause = "format " + p.FullFormat()
	}
}

// knownFormat reports whether a format of that name exists for any kind of field.
func (c *compiler) knownFormat(format string) bool {
	for kind := keys.KindText; kind <= keys.KindBytes; kind++ {
		options := keys.Options{Formats: c.schema.Formats, Kind: func(string) (keys.Kind, bool) { return kind, true }}
		if _, err := keys.Compile("X#<x:"+format+">", options); err == nil {
			return true
		}
	}
	return format == ""
}

// fieldCause returns the cause that is shared by all issues of a field whose type cannot be in a
// key.
func (c *compiler) fieldCause(f *codec.Field) string { return c.typeCause("type of " + f.Name) }

// explained reports whether a field's issue already explains why the type has no attribute with
// that name.
func (c *compiler) explained(name string) bool {
	return tag.Suggest(name, c.suspectWords) != "" || len(c.codecIssues) > 0 && c.attributes[name]
}

// addSuspectWords records the words of a tag with issues. One of them may be the name that a
// template uses.
func (c *compiler) addSuspectWords(text reflect.StructTag) {
	c.suspectWords = append(c.suspectWords, strings.FieldsFunc(string(text), func(r rune) bool {
		return r != '_' && r != '-' && r != '.' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})...)
}

// unknownAttribute returns a reason and a hint for a name that is not an attribute of the type. The
// parameter spelled formats the suggested attribute.
func (c *compiler) unknownAttribute(name string, spelled func(string) string) (reason, hint string) {
	reason = "the type has no attribute " + quote(name)
	var names []string
	for _, f := range c.plan.Shape.Fields() {
		if f.GoName == name {
			c.suggested[f.Name] = true
			return reason, fmt.Sprintf("%s is stored as %s: write %s", name, f.Name, spelled(f.Name))
		}
		names = append(names, f.Name)
	}
	if path := c.unstoredField(name); path != "" {
		reason, hint = notStored(path, name)
		return reason, fmt.Sprintf("%s; or, if it is to be in keys only, dynamodbav:%q entity:%q", hint, name, core.RoleKey)
	}
	if head, _, nested := strings.Cut(name, "."); nested && c.plan.Shape.ByName(head) != nil {
		return reason, "a template cannot name a nested field: add a field to " + typeName(c.typ) + " itself"
	}
	if meant := tag.Suggest(name, names); meant != "" {
		c.suggested[meant] = true
		return reason, "did you mean " + spelled(meant) + "?"
	}
	if hidden, ok := c.typ.FieldByNameFunc(func(field string) bool { return strings.EqualFold(field, name) }); ok && !hidden.IsExported() && name != "_" {
		return reason, "export the field " + hidden.Name + ": only exported fields are stored"
	}
	if len(names) == 0 {
		return reason, c.noFieldsHint()
	}
	return reason, "its attributes: " + strings.Join(names, ", ")
}

// notStored returns the reason and the hint for an unstored field that is meant by an attribute.
func notStored(path, name string) (reason, hint string) {
	return "the field " + path + " is not stored: it is tagged " + unstoredTag, fmt.Sprintf("tag %s dynamodbav:%q", path, name)
}

// unstoredField returns the path of an unstored field with that Go name, ignoring case and
// underscores. It returns "" if there is none.
func (c *compiler) unstoredField(name string) string {
	folded := func(s string) string { return strings.ToLower(strings.ReplaceAll(s, "_", "")) }
	for _, path := range c.unstored {
		if folded(path[strings.LastIndexByte(path, '.')+1:]) == folded(name) {
			return path
		}
	}
	return ""
}

// noFieldsHint returns the hint for a type without attributes.
func (c *compiler) noFieldsHint() string {
	for i := range c.typ.NumField() {
		if f := c.typ.Field(i); f.Name != "_" && f.IsExported() {
			return "none of its fields is stored"
		}
	}
	return "export its fields: only exported fields are stored"
}
