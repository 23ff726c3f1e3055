package schemadoc

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// table is a Markdown table: its header and its rows.
type table [][]string

func (t *table) add(row ...string) { *t = append(*t, row) }

// withoutEmpty drops the columns from first on of which only the header has text.
func (t table) withoutEmpty(first int) table {
	for column := len(t[0]) - 1; column >= first; column-- {
		if slices.ContainsFunc(t[1:], func(row []string) bool { return row[column] != "" }) {
			continue
		}
		for i := range t {
			t[i] = slices.Delete(t[i], column, column+1)
		}
	}
	return t
}

// cellText replaces the characters that would end a cell.
var cellText = strings.NewReplacer("|", `\|`, "\n", " ", "\r", " ")

// String returns the table with aligned columns.
func (t table) String() string {
	rows := slices.Insert(slices.Clone(t), 1, make([]string, len(t[0])))
	widths := make([]int, len(t[0]))
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
