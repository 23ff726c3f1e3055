package define

import (
	"regexp"
	"strings"

	"github.com/trestledb/trestle/keys"
)

// lookalike is literal text that was meant to be a placeholder, written as it is elsewhere. Left alone, it would give all items the same
// key.
type lookalike struct {
	offset int    // in the template, in bytes
	text   string // as it stands there, such as {id}
	field  string // the attribute that was meant; empty where the text names none
}

// The ways in which placeholders are written elsewhere, in one segment of a template. The group is the name.
var (
	forms = []*regexp.Regexp{
		regexp.MustCompile(`[$%]?\{+([^{}<]+)\}+`),          // {id} ${id} {id:08} {{ .ID }}
		regexp.MustCompile(`\$([\pL_][\pL\pN_]*)`),          // $id
		regexp.MustCompile(`^:([\pL_][\pL\pN_]*)$`),         // :id
		regexp.MustCompile(`%[-+ 0]*\d*(?:\.\d+)?[sdvqx]$`), // %s
	}
	telltales = "{$:%"
)

// lookalikes finds what was meant to be a placeholder. A name in it must be a field's, in whatever case, so that other literals stay what
// they are.
func (c *compiler) lookalikes(template string) []lookalike {
	text := masked(template)
	if !strings.ContainsAny(text, telltales) {
		return nil
	}
	var found []lookalike
	start, delimiter := 0, c.schema.Delimiter
	for segment := range strings.SplitSeq(text, delimiter) {
		for _, form := range forms {
			for _, at := range form.FindAllStringSubmatchIndex(segment, -1) {
				l := lookalike{offset: start + at[0], text: segment[at[0]:at[1]]}
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

// masked blots out the placeholders, so that literal text alone is left where it was.
func masked(template string) string {
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

// fieldLike finds the field that a name from elsewhere stands for, which may have a format behind it and a variable before it.
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

// flaw is the fault that a lookalike is.
func (c *compiler) flaw(l lookalike, t keys.AttrType) flaw {
	made := flaw{offset: l.offset, reason: l.text + " is literal text, not a placeholder", hint: "write the name of a field between < and >"}
	if f := c.plan.Shape.ByName(l.field); f != nil {
		made.hint = "write " + spelled(f, t)
	}
	return made
}

// explains reports whether a fault is there only because the lookalike is no placeholder.
func (l lookalike) explains(f *keys.SyntaxError) bool {
	within := f.Offset >= l.offset && f.Offset < l.offset+len(l.text)
	return within && (f.Text == "$" || f.Text == "" && l.text == f.Template)
}
