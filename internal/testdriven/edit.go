package testdriven

import (
	"slices"
	"strings"
)

// Edit returns a text with the changes that the lines of the input describe, for cases that differ
// little from an earlier one:
//
//	old => new   replaces old everywhere
//	- text       deletes the first line that contains the text
//	+ line       inserts a line before the last one
//	> line       inserts a line at the start
//
// A change without effect fails the test.
func (c *Case) Edit(text string) string {
	for change := range strings.Lines(c.Input + "\n") {
		change = strings.TrimSuffix(change, "\n")
		if edited := edit(text, change); edited != text || change == "" {
			text = edited
			continue
		}
		c.T.Fatalf("%s: no effect: %s", c.Pos, change)
	}
	return text
}

func edit(text, change string) string {
	if before, after, found := strings.Cut(change, " => "); found {
		return strings.ReplaceAll(text, strings.TrimSpace(before), after)
	}
	lines := strings.SplitAfter(strings.TrimSuffix(text, "\n")+"\n", "\n")
	lines = lines[:len(lines)-1]
	operator, line, _ := strings.Cut(change, " ")
	switch operator {
	case "-":
		if i := slices.IndexFunc(lines, func(l string) bool { return strings.Contains(l, line) }); i >= 0 {
			lines = slices.Delete(lines, i, i+1)
		}
	case "+":
		lines = slices.Insert(lines, len(lines)-1, line+"\n")
	case ">":
		lines = slices.Insert(lines, 0, line+"\n")
	default:
		return text
	}
	return strings.Join(lines, "")
}
