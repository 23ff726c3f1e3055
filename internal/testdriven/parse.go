package testdriven

import (
	"fmt"
	"strings"
)

const separator = "----\n"

// part is a command with the text of the file before its output. The last part of a file may have
// no command.
type part struct {
	before   string
	c        *Case
	expected string
}

// parse splits a file into its commands.
func parse(file, text string) (parts []part, err error) {
	var p part
	number := 0
	cut := func() string {
		line, rest, found := strings.Cut(text, "\n")
		if found {
			line += "\n"
		}
		text = rest
		number++
		return line
	}
	for text != "" {
		line := cut()
		p.before += line
		if blank := strings.TrimSpace(line); blank == "" || strings.HasPrefix(blank, "#") {
			continue
		}
		name, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		p.c = &Case{Pos: fmt.Sprintf("%s:%d", file, number), Command: name}
		if p.c.Args, err = ParseArgs(rest); err != nil {
			return nil, fmt.Errorf("%s: %w", p.c.Pos, err)
		}
		for line = ""; line != separator; p.before += line {
			p.c.Input += line
			if text == "" {
				return nil, fmt.Errorf("%s: command %s has no line ----", p.c.Pos, name)
			}
			line = cut()
		}
		p.c.Input = strings.TrimSuffix(p.c.Input, "\n")
		end := "\n"
		if strings.HasPrefix(text, separator) {
			cut()
			end = separator + separator
		}
		for text != "" && !strings.HasPrefix(text, end) {
			p.expected += cut()
		}
		if end != "\n" {
			if text == "" {
				return nil, fmt.Errorf("%s: output of command %s has no end", p.c.Pos, name)
			}
			cut()
			cut()
		}
		parts = append(parts, p)
		p = part{}
	}
	return append(parts, p), nil
}

// outputText returns an output as it stands in a file, after the first line ----.
func outputText(output string) string {
	if strings.Contains("\n"+output, "\n\n") || strings.HasPrefix(output, separator) {
		return separator + output + separator + separator
	}
	return output
}
