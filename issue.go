package trestle

import (
	"slices"
	"strings"
	"unicode"
)

// DefinitionError lists all mistakes of a schema, in the order of the declarations. The methods Err
// and Open of an entity.Schema return it.
type DefinitionError struct {
	Issues []Issue
}

// Error lists all mistakes. Each begins with its place, as in the errors of a compiler.
func (e *DefinitionError) Error() string {
	var b strings.Builder
	for _, i := range e.Issues {
		i.write(&b)
	}
	return b.String()
}

// Unwrap returns [ErrInvalid].
func (e *DefinitionError) Unwrap() error { return ErrInvalid }

// Issue is one mistake in a declaration. A mistake that appears in several places is one issue, at
// the first place.
type Issue struct {
	Type   string // the Go type, such as "company.Employee"; empty for the Config
	Entity string // the type name; may be empty
	Field  string // the Go field or the marker, such as "entity.Index by-hire"
	Tag    string // the tag key, such as "sk"; may be empty
	Text   string // the template or tag as written, or examples; may be empty
	Offset int    // byte offset in Text; -1: all of Text
	Reason string // what is wrong, and where else
	Hint   string // the likely fix; may be empty
}

// String returns the place, the reason, the text with a mark at the offset, and the hint.
func (i Issue) String() string {
	var b strings.Builder
	i.write(&b)
	return strings.TrimSuffix(b.String(), "\n")
}

// Place returns the type, the field and the tag key of the issue.
func (i Issue) Place() string {
	words := slices.DeleteFunc([]string{i.Type, i.Field, i.Tag}, func(s string) bool { return s == "" })
	return strings.Join(words, ", ")
}

// The margins of an issue's lines: of the text, and of the hint.
const (
	textMargin = "  | "
	hintMargin = "  = "
)

func (i Issue) write(b *strings.Builder) {
	b.WriteString(i.Place() + ": " + i.Reason + "\n")
	start := 0
	for line := range strings.Lines(i.Text) {
		b.WriteString(textMargin + strings.TrimRight(line, "\r\n") + "\n")
		end := start + len(line)
		if at := i.Offset; start <= at && (at < end || at == len(i.Text) && end == at) {
			b.WriteString(textMargin + padding(i.Text[start:at]) + "^\n")
		}
		start = end
	}
	if i.Hint != "" {
		b.WriteString(hintMargin + i.Hint + "\n")
	}
}

// padding returns white space of the same width as text in a monospaced font.
func padding(text string) string {
	var b strings.Builder
	for _, r := range text {
		switch {
		case r == '\t':
			b.WriteRune(r)
		case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf): // they combine with the rune before
		case unicode.In(r, wide):
			b.WriteString("  ")
		default:
			b.WriteByte(' ')
		}
	}
	return b.String()
}

// wide lists the runes that are two columns wide: East Asian characters and emoji.
var wide = &unicode.RangeTable{
	R16: []unicode.Range16{{0x1100, 0x115F, 1}, {0x2E80, 0xA4CF, 1}, {0xAC00, 0xD7A3, 1}, {0xF900, 0xFAFF, 1}, {0xFE30, 0xFE6F, 1}, {0xFF01, 0xFF60, 1}, {0xFFE0, 0xFFE6, 1}},
	R32: []unicode.Range32{{0x1F300, 0x1FAFF, 1}, {0x20000, 0x3FFFD, 1}},
}
