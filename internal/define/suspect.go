package define

import (
	"regexp"
	"strings"
	"sync"

	"github.com/trestledb/trestle/keys"
)

// suspectPlaceholder is literal text that looks like a placeholder of another template language. As
// literal text, it would give all items the same key.
type suspectPlaceholder struct {
	offset int    // in the template, in bytes
	text   string // the literal text, such as {id}
	field  string // the attribute that it probably means; empty if the text has no name
}

// placeholderForms match placeholders of other template languages in one segment of a template. The
// group is the name.
var placeholderForms = sync.OnceValue(func() []*regexp.Regexp {
	return []*regexp.Regexp{
		regexp.MustCompile(`[$%]?\{+([^{}<]+)\}+`),          // {id} ${id} {id:08} {{ .ID }}
		regexp.MustCompile(`\$([\pL_][\pL\pN_]*)`),          // $id
		regexp.MustCompile(`^:([\pL_][\pL\pN_]*)$`),         // :id
		regexp.MustCompile(`%[-+ 0]*\d*(?:\.\d+)?[sdvqx]$`), // %s
	}
})

const placeholderStarts = "{$:%"

// suspectPlaceholders finds literal text that looks like a placeholder. A name in it must match a
// field, ignoring case, so that other literals stay valid.
func (c *compiler) suspectPlaceholders(template string) []suspectPlaceholder {
	text := maskPlaceholders(template)
	if !strings.ContainsAny(text, placeholderStarts) {
		return nil
	}
	var found []suspectPlaceholder
	start, delimiter := 0, c.schema.Delimiter
	for segment := range strings.SplitSeq(text, delimiter) {
		for _, form := range placeholderForms() {
			for _, at := range form.FindAllStringSubmatchIndex(segment, -1) {
				l := suspectPlaceholder{offset: start + at[0], text: segment[at[0]:at[1]]}
				if named := len(at) > 2; named {
					l.field = c.fieldLike(segment[at[2]:at[3]])
				}
				if l.field != "" || len(at) == 2 {
					found = append(found, l)
				}
			}
		}
		start += len(segment) + len(delimiter)
	}
	return found
}

// maskPlaceholders overwrites the placeholders with '<', so that only literal text remains, at the
// same offsets.
func maskPlaceholders(template string) string {
	text := []byte(template)
	inside := false
	for i, b := range text {
		inside = b == '<' || inside && b != '>'
		if inside {
			text[i] = '<'
		}
	}
	return string(text)
}

// fieldLike returns the attribute that a placeholder name means, or "". The name can have a
// variable before it and a format after it.
func (c *compiler) fieldLike(name string) string {
	if end := strings.IndexAny(name, ":,"); end >= 0 {
		name = name[:end]
	}
	name = strings.TrimSpace(name)
	member := name[strings.LastIndexByte(name, '.')+1:]
	for _, f := range c.plan.Shape.Fields() {
		goName := f.GoName[strings.LastIndexByte(f.GoName, '.')+1:]
		if strings.EqualFold(name, f.Name) || strings.EqualFold(member, f.Name) || strings.EqualFold(member, goName) {
			return f.Name
		}
	}
	return ""
}

// suspectIssue returns the issue of a suspect placeholder.
func (c *compiler) suspectIssue(l suspectPlaceholder, t keys.AttrType) Issue {
	made := place{}.issueAt(l.offset, l.text+" is literal text, not a placeholder", "write the name of a field between < and >")
	if f := c.plan.Shape.ByName(l.field); f != nil {
		made.Hint = "write " + placeholderOf(f, t)
	}
	return made
}

// explains reports whether the suspect placeholder is the only cause of a syntax error.
func (l suspectPlaceholder) explains(f *keys.SyntaxError) bool {
	within := f.Offset >= l.offset && f.Offset < l.offset+len(l.text)
	return within && (f.Text == "$" || f.Text == "" && l.text == f.Template)
}
