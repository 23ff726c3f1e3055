// Package keysyntax parses the text of key templates. It continues after an issue, so that all
// issues of a template are reported together.
package keysyntax

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/trestledb/trestle/internal/tag"
)

// Template is a parsed template. It has one literal more than placeholders.
type Template struct {
	Text         string
	Literals     []Literal // texts before, between and after the placeholders
	Placeholders []Placeholder
	Issues       []Issue
}

// ShardName is the name of the placeholder for the number of a shard. Fields may follow it instead
// of a format, separated by commas.
const ShardName = "shard"

// Literal is literal text, which may be empty.
type Literal struct {
	Text   string
	Offset int
}

// Placeholder is a placeholder such as <placed_at:s,desc>.
type Placeholder struct {
	Name   string // attribute name
	Format string // without ",desc"; empty if there is none
	Desc   bool
	Text   string // as written, with the angle brackets
	Offset int    // offset of the '<', in bytes
	Faulty bool   // the name and the format are not known
}

// FullFormat returns the format with ",desc".
func (p Placeholder) FullFormat() string {
	if p.Desc {
		return p.Format + ",desc"
	}
	return p.Format
}

// With returns the placeholder's text with another format.
func (p Placeholder) With(format string) string {
	if format == "" {
		return "<" + p.Name + ">"
	}
	return "<" + p.Name + ":" + format + ">"
}

// Issue is a mistake in a template.
type Issue struct {
	Offset int    // start of the faulty text, in bytes
	Text   string // faulty text
	Reason string // what is wrong
	Hint   string // what is correct; may be empty

	// style means that the placeholder is unambiguous nevertheless.
	style bool
}

// Parse parses the text of a template.
func Parse(text string) *Template {
	t := &Template{Text: text}
	if text == "" {
		t.Report(0, "", "the template is empty", "write literal text or a placeholder such as <id>")
	}
	start := 0
	for pos := 0; pos < len(text); {
		if text[pos] != '<' {
			pos++
			continue
		}
		t.literal(start, pos)
		pos = t.placeholder(pos)
		start = pos
	}
	t.literal(start, len(text))
	return t
}

// Placeholders returns the placeholders of a template that could be parsed.
func Placeholders(text string) []Placeholder {
	return slices.DeleteFunc(Parse(text).Placeholders, func(p Placeholder) bool { return p.Faulty })
}

// Report adds an issue.
func (t *Template) Report(offset int, text, reason, hint string) {
	t.Issues = append(t.Issues, Issue{Offset: offset, Text: text, Reason: reason, Hint: hint})
}

func (t *Template) literal(start, end int) {
	const remove = "remove it"
	text := t.Text[start:end]
	t.Literals = append(t.Literals, Literal{text, start})
	for i, r := range text {
		width := max(1, utf8.RuneLen(r))
		switch {
		case r == '$':
			t.Report(start+i, "$", "literal text cannot contain $, which starts an escaped byte", remove)
		case r == '>':
			t.Report(start+i, ">", "> has no matching <", "remove it, or write < before the field's name")
		case r == utf8.RuneError && !strings.HasPrefix(text[i:], "\uFFFD"):
			t.Report(start+i, text[i:i+1], "literal text is not UTF-8", remove)
		case unicode.IsControl(r):
			t.Report(start+i, text[i:i+width], "literal text cannot contain a control character", remove)
		}
	}
}

// placeholder parses the placeholder at pos and returns the offset after it.
func (t *Template) placeholder(pos int) int {
	open := count(t.Text[pos:], '<')
	start := pos + open
	length := strings.IndexAny(t.Text[start:], "<>")
	if length < 0 {
		length = len(t.Text) - start
	}
	end := start + length
	if end == len(t.Text) || t.Text[end] == '<' {
		t.Report(pos, t.Text[pos:end], "the placeholder is not closed", "end it with >")
		t.Placeholders = append(t.Placeholders, Placeholder{Faulty: true})
		return end
	}
	after := end + min(open, count(t.Text[end:], '>'))
	t.Placeholders = append(t.Placeholders, t.parse(pos, t.Text[start:end], t.Text[pos:after]))
	return after
}

// count returns how often b is repeated at the start of text.
func count(text string, b byte) int { return len(text) - len(strings.TrimLeft(text, string(b))) }

// parse parses a placeholder. The body is the text between its brackets.
func (t *Template) parse(offset int, body, text string) Placeholder {
	name, format, hasFormat := strings.Cut(body, ":")
	base, modifier, modified := strings.Cut(format, ",")
	if strings.TrimSpace(name) == ShardName { // what follows are the names of fields
		base, modifier, modified = withoutSpaces(format), "", false
	}
	p := Placeholder{Name: strings.TrimSpace(name), Format: strings.TrimSpace(base), Desc: modified, Text: text, Offset: offset}
	modifier = strings.TrimSpace(modifier)
	issue := func(reason, hint string) {
		p.Faulty = true
		t.Report(offset, text, reason, hint)
	}
	const formatFirst = "write the format before the comma"
	switch {
	case p.Name == "":
		issue("the placeholder has no field", "write the attribute's name after <")
	case strings.ContainsFunc(body, func(r rune) bool { return r == utf8.RuneError || unicode.IsControl(r) }):
		issue("the placeholder contains a control character or is not UTF-8", "remove it")
	case !hasFormat && strings.Contains(name, ","):
		issue("a comma can only follow a format", formatFirst)
	case hasFormat && strings.TrimSpace(format) == "":
		issue("the format is empty", "write a format after the colon, or remove the colon")
	case modified && p.Format == "":
		issue("desc needs a format", formatFirst)
	case modified && modifier != "desc":
		hint := "remove the comma and the text after it"
		if Closest(modifier, "desc") != "" {
			hint = "did you mean " + p.With(p.FullFormat()) + "?"
		}
		issue("only desc can follow the comma after a format", hint)
	default:
		t.style(p)
	}
	return p
}

// withoutSpaces returns a list of names without the spaces around each.
func withoutSpaces(list string) string {
	names := strings.Split(list, ",")
	for i := range names {
		names[i] = strings.TrimSpace(names[i])
	}
	return strings.Join(names, ",")
}

// style reports extra brackets and spaces. The placeholder is checked further nevertheless, because
// it is unambiguous.
func (t *Template) style(p Placeholder) {
	if clean := p.With(p.FullFormat()); clean != p.Text {
		t.Issues = append(t.Issues, Issue{
			Offset: p.Offset, Text: p.Text, Hint: "write " + clean, style: true,
			Reason: "a placeholder has one <, one >, and no spaces around its name and format",
		})
	}
}

// SortedIssues returns the issues in the order of the text. It omits style issues of placeholders
// that have another issue.
func (t *Template) SortedIssues() []Issue {
	issues := slices.DeleteFunc(slices.Clone(t.Issues), func(f Issue) bool {
		return f.style && slices.ContainsFunc(t.Issues, func(other Issue) bool { return other != f && other.Offset == f.Offset })
	})
	slices.SortStableFunc(issues, func(a, b Issue) int { return a.Offset - b.Offset })
	return issues
}

// Closest returns the first name that equals word if case is ignored, or else differs from it by
// one edit, or else is a prefix of it. It returns "" if there is none.
func Closest(word string, names ...string) string {
	const minLength = 3 // shorter words are compared for equality only
	word = strings.ToLower(word)
	for _, similar := range []func(name string) bool{
		func(name string) bool { return word == name },
		func(name string) bool { return min(len(word), len(name)) >= minLength && tag.Distance(word, name) == 1 },
		func(name string) bool { return len(name) >= minLength && strings.HasPrefix(word, name) },
	} {
		if i := slices.IndexFunc(names, func(name string) bool { return similar(strings.ToLower(name)) }); i >= 0 {
			return names[i]
		}
	}
	return ""
}
