package chart

import (
	"strings"
	"unicode/utf8"
)

// sheet is a table of texts.
type sheet struct {
	head []string
	rows [][]string
}

// bar replaces characters that would end a table cell.
var bar = strings.NewReplacer("|", `\|`, "\n", " ", "\r", " ")

// write writes the sheet as a Markdown table with aligned columns.
func (s *sheet) write(b *strings.Builder) {
	widths := make([]int, len(s.head))
	rows := append([][]string{s.head}, s.rows...)
	for _, row := range rows {
		for i, cell := range row {
			row[i] = bar.Replace(cell)
			widths[i] = max(widths[i], utf8.RuneCountInString(row[i]), 3)
		}
	}
	for n, row := range rows {
		for i, cell := range row {
			b.WriteString("| " + cell + strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell)+1))
		}
		b.WriteString("|\n")
		if n > 0 {
			continue
		}
		for _, w := range widths {
			b.WriteString("| " + strings.Repeat("-", w) + " ")
		}
		b.WriteString("|\n")
	}
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
