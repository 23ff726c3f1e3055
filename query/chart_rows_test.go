package query_test

import (
	"regexp"
	"strings"
)

// patternRow is a row of an access-pattern sheet; or what was sent, in the same words.
type patternRow struct{ pattern, index, key, filter string }

// patternRows reads the access-pattern sheet of a chart.
func patternRows(chart string) (rows []patternRow) {
	_, sheet, _ := strings.Cut(chart, "## Access patterns\n\n")
	for n, line := range strings.Split(strings.TrimSpace(sheet), "\n") {
		if c := cells(line); n > 1 && len(c) == 4 { // below the head and its rule
			rows = append(rows, patternRow{c[0], c[1], uncoded(c[2]), uncoded(c[3])})
		}
	}
	return rows
}

// cells parts a row of a Markdown table.
func cells(line string) []string {
	const bar = "\x00"
	line = strings.Trim(strings.ReplaceAll(line, `\|`, bar), "|")
	parts := strings.Split(line, "|")
	for i, p := range parts {
		parts[i] = strings.TrimSpace(strings.ReplaceAll(p, bar, "|"))
	}
	return parts
}

// uncoded is what a code span of Markdown shows.
func uncoded(cell string) string {
	if text, ok := strings.CutPrefix(cell, "`` "); ok {
		return strings.TrimSuffix(text, " ``")
	}
	return strings.Trim(cell, "`")
}

// placeholder finds the fields of templates.
var placeholder = regexp.MustCompile(`<([^<>]+)>`)

// texts says what stands for a field in a key, by placeholder: of "at:s" it may be 2026-08-09T10:11:12Z.
type texts map[string]string

// fill replaces the placeholders of a condition by what keys hold: escaped, but for raw keys and where the value is the whole attribute.
// A placeholder that it knows nothing of stays.
func (x texts) fill(condition string, raw bool) string {
	var b strings.Builder
	end := 0
	for _, at := range placeholder.FindAllStringSubmatchIndex(condition, -1) {
		before, after := condition[:at[0]], condition[at[1]:]
		text, known := x[condition[at[2]:at[3]]]
		whole := strings.HasSuffix(before, " = ") && (after == "" || strings.HasPrefix(after, " AND "))
		switch {
		case !known:
			text = condition[at[0]:at[1]]
		case !raw && !whole:
			text = escapedText(text)
		}
		b.WriteString(condition[end:at[0]] + text)
		end = at[1]
	}
	return b.String() + condition[end:]
}

// escapedText writes as two bytes each that is not above the delimiter and the escape.
func escapedText(text string) string {
	var b strings.Builder
	for i := range len(text) {
		if c := text[i]; c <= '$' {
			b.WriteByte('$')
			b.WriteByte(c + 0x25)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}
