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

// write writes the sheet as a Markdown table whose columns stand in line.
func (s *sheet) write(b *strings.Builder) {
	widths := make([]int, len(s.head))
	for _, row := range append([][]string{s.head}, s.rows...) {
		for i, cell := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell), 3)
		}
	}
	line := func(row []string) {
		for i, cell := range row {
			b.WriteString("| " + cell + strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell)+1))
		}
		b.WriteString("|\n")
	}
	line(s.head)
	for _, w := range widths {
		b.WriteString("| " + strings.Repeat("-", w) + " ")
	}
	b.WriteString("|\n")
	for _, row := range s.rows {
		line(row)
	}
}

// code sets a text as code, so that Markdown leaves it alone. A bar would end the cell.
func code(text string) string {
	if text == "" {
		return ""
	}
	return "`" + strings.ReplaceAll(text, "|", `\|`) + "`"
}
