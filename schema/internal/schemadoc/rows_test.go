package schemadoc_test

import (
	"regexp"
	"slices"
	"strings"
)

// patternRow is a row of the access patterns, or a request in the same form.
type patternRow struct{ pattern, index, key, filter, partitions string }

// shards matches the number of shards in a description of partitions. The examples of the tests
// select one period.
var shards = regexp.MustCompile(`\d+ shards`)

// shardDigits matches the shard at the end of a partition key of a random schema. It does not match
// 999, the upper bound of a range of shards.
var shardDigits = regexp.MustCompile(`(sh\d+.)00\d$`)

// anyShard stands for the number of each shard.
const anyShard = "000"

// patternRows returns the access patterns of a chart.
func patternRows(chart string) (rows []patternRow) {
	_, table, _ := strings.Cut(chart, "## Access patterns\n\n")
	partitions := -1
	for n, line := range strings.Split(strings.TrimSpace(table), "\n") {
		c := cells(line)
		switch {
		case n == 0:
			partitions = slices.Index(c, "partitions")
		case n > 1: // after the rule of the header
			row := patternRow{pattern: c[0], index: c[1], key: cellText(c[2]), filter: cellText(c[3])}
			if partitions >= 0 {
				row.partitions = c[partitions]
			}
			rows = append(rows, row)
		}
	}
	return rows
}

// cells splits a row of a Markdown table.
func cells(line string) []string {
	const bar = "\x00"
	line = strings.Trim(strings.ReplaceAll(line, `\|`, bar), "|")
	parts := strings.Split(line, "|")
	for i, p := range parts {
		parts[i] = strings.TrimSpace(strings.ReplaceAll(p, bar, "|"))
	}
	return parts
}

// cellText returns the text of a Markdown code span.
func cellText(cell string) string {
	if text, ok := strings.CutPrefix(cell, "`` "); ok {
		return strings.TrimSuffix(text, " ``")
	}
	return strings.Trim(cell, "`")
}

// placeholder matches the fields of templates.
var placeholder = regexp.MustCompile(`<([^<>]+)>`)

// keyTexts maps each placeholder to its text in a key. For "at:s" the text is a time such as
// 2026-08-09T10:11:12Z.
type keyTexts map[string]string

// fill replaces the placeholders of a condition by their texts in keys. It escapes them, except in
// raw keys and if the value is the whole attribute. Unknown placeholders stay.
func (x keyTexts) fill(condition string, raw bool) string {
	var b strings.Builder
	end := 0
	for _, at := range placeholder.FindAllStringSubmatchIndex(condition, -1) {
		before, after := condition[:at[0]], condition[at[1]:]
		text, known := x[condition[at[2]:at[3]]]
		whole := strings.HasSuffix(before, " = ") && (after == "" || strings.HasPrefix(after, " AND "))
		switch {
		case strings.HasPrefix(condition[at[2]:at[3]], "shard"):
			text = anyShard
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

// escapedText encodes each byte that is not above the delimiter and the escape as two bytes.
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
