package main

import (
	"fmt"
	"strings"
)

const (
	barWidth = 30
	fullBar  = 360 // the number of votes of a bar of this width
)

// render returns the view: for each candidate a line with the total, a bar, and the values of the
// shards, if they are wanted.
func render(counts []count, shards bool) string {
	var text strings.Builder
	for _, c := range counts {
		bar := strings.Repeat("#", int(min(c.total(), fullBar)*barWidth/fullBar))
		line := fmt.Sprintf("  %-4s %4d  %-*s", c.candidate, c.total(), barWidth, bar)
		if shards {
			line += "  shards:"
			for _, n := range c.shards {
				line += fmt.Sprintf(" %3d", n)
			}
		}
		text.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	return text.String()
}
