package define

import (
	"reflect"
	"slices"
	"strings"
	"unicode"
)

// Issue is one mistake in a definition.
type Issue struct {
	Type   string // the Go type, such as "company.Employee"; empty: the configuration
	Entity string // the entity's name, if it has one
	Field  string // "HiredAt", `entity.Index by-hire`, "Config.Indexes GSI1"
	Tag    string // the key of the tag, such as "sk"; may be empty
	// Text is the template or the tag. It can be empty. It has several lines if it shows examples.
	Text   string
	Offset int    // the byte offset of the issue in Text; -1: all of Text
	Reason string // what is wrong, without a full stop at the end
	Hint   string // a suggested fix; may be empty

	Cause string   // Merge merges issues with the same cause; empty: never merged
	Also  []string // the other places with the same cause
}

// Text formats issues in the order given, as one block of lines for each. A block starts with the
// place of the issue, as compiler errors do.
func Text(issues []Issue) string {
	var b strings.Builder
	for _, f := range issues {
		f.write(&b)
	}
	return b.String()
}

// String returns the issue's block in Text without its final newline.
func (f Issue) String() string {
	var b strings.Builder
	f.write(&b)
	return strings.TrimSuffix(b.String(), "\n")
}

// The margins of a block, for lines of the source and for hints.
const (
	textMargin = "  | "
	hintMargin = "  = "
)

func (f Issue) write(b *strings.Builder) {
	b.WriteString(f.location() + ": " + f.Message() + "\n")
	start := 0
	for line := range strings.Lines(f.Text) {
		b.WriteString(textMargin + strings.TrimRight(line, "\r\n") + "\n")
		end := start + len(line)
		if at := f.Offset; start <= at && (at < end || at == len(f.Text) && end == at) {
			b.WriteString(textMargin + padding(f.Text[start:at]) + "^\n")
		}
		start = end
	}
	if f.Hint != "" {
		b.WriteString(hintMargin + f.Hint + "\n")
	}
}

// location returns the type, the field and the tag of the issue.
func (f Issue) location() string {
	words := slices.DeleteFunc([]string{f.Type, f.Field, f.Tag}, func(s string) bool { return s == "" })
	return strings.Join(words, ", ")
}

// Message returns the reason and the other places with the same cause.
func (f Issue) Message() string {
	if len(f.Also) == 0 {
		return f.Reason
	}
	return f.Reason + "; also in " + strings.Join(f.Also, "; ")
}

// locatedIssue is an issue with its position in the source.
type locatedIssue struct {
	Issue
	pos int
}

// sorted returns the issues in source order, without duplicates and merged by cause. Issues at the
// same position keep their order.
func sorted(issues []locatedIssue) []Issue {
	slices.SortStableFunc(issues, func(a, b locatedIssue) int { return a.pos - b.pos })
	var out []Issue
	for _, f := range issues {
		same := func(g Issue) bool { return reflect.DeepEqual(f.Issue, g) }
		if !slices.ContainsFunc(out, same) {
			out = append(out, f.Issue)
		}
	}
	return Merge(out)
}

// addShared adds an issue with its cause, which other issues may share.
func (c *compiler) addShared(cause string, f locatedIssue) {
	f.Cause = cause
	c.add(f)
}

// typeCause returns a cause that is specific to the type, such as a misspelled attribute. Other
// causes are in the configuration and can appear in several types.
func (c *compiler) typeCause(cause string) string {
	return c.typ.PkgPath() + " " + c.typ.String() + " " + cause
}

// Merge reports each cause once. It keeps the first issue and adds the places of the others to it.
func Merge(issues []Issue) []Issue {
	var merged []Issue
	first := map[string]int{}
	for _, f := range issues {
		at, again := first[f.Cause]
		switch {
		case f.Cause == "":
		case again:
			merged[at].addPlace(f)
			continue
		default:
			first[f.Cause] = len(merged)
		}
		merged = append(merged, f)
	}
	return merged
}

// addPlace adds the place of another issue with the same cause.
func (f *Issue) addPlace(other Issue) {
	if other.Type == f.Type {
		other.Type = ""
	}
	place := other.location()
	if place != f.location() && !slices.Contains(f.Also, place) {
		f.Also = append(f.Also, place)
	}
	f.Also = append(f.Also, other.Also...)
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
