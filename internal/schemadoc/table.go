package schemadoc

import (
	"strings"
	"unicode/utf8"
)

// table is a Markdown table.
type table struct {
	header []string
	rows   [][]string
}

func newTable(header ...string) *table { return &table{header: header} }

func (t *table) add(row ...string) { t.rows = append(t.rows, row) }

// cellText replaces the characters that would end a cell.
var cellText = strings.NewReplacer("|", `\|`, "\n", " ", "\r", " ")

// String returns the table with aligned columns.
func (t *table) String() string {
	rows := append([][]string{t.header, make([]string, len(t.header))}, t.rows...)
	widths := make([]int, len(t.header))
	for _, row := range rows {
		for i := range row {
			row[i] = cellText.Replace(row[i])
			widths[i] = max(widths[i], utf8.RuneCountInString(row[i]), 3)
		}
	}
	for i, w := range widths {
		rows[1][i] = strings.Repeat("-", w)
	}
	var b strings.Builder
	for _, row := range rows {
		for i, cell := range row {
			b.WriteString("| " + cell + strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell)+1))
		}
		b.WriteString("|\n")
	}
	return b.String()
}

// code formats a text as Markdown code.
func code(text string) string {
	switch {
	case text == "":
		return ""
	case strings.Contains(text, "`"):
		return "`` " + text + " ``"
	}
	return "`" + text + "`"
}
