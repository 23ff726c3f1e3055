package testdriven

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
)

// Case is one command of a file.
type Case struct {
	T       testing.TB
	Pos     string // file and line
	Command string
	Input   string // without the newline at its end
	Args
}

// Args are the arguments of a command, in order.
type Args struct {
	list []Arg
	read map[string]bool
}

// Arg is an argument of the form key=value, or a word without a value.
type Arg struct{ Key, Value string }

// Has reports whether there is an argument with the key, with or without a value.
func (a *Args) Has(key string) bool {
	a.read[key] = true
	for _, arg := range a.list {
		if arg.Key == key {
			return true
		}
	}
	return false
}

// Value returns the value of an argument, or "".
func (a *Args) Value(key string) string {
	a.read[key] = true
	for _, arg := range a.list {
		if arg.Key == key {
			return arg.Value
		}
	}
	return ""
}

// Int returns the value of an argument as a number, or 0 if there is none.
func (c *Case) Int(key string) int {
	text := c.Value(key)
	n, err := strconv.Atoi(text)
	if err != nil && text != "" {
		c.T.Fatalf("%s: %s is not a number: %s", c.Pos, key, text)
	}
	return n
}

// Words returns the arguments without a value, in order.
func (a *Args) Words() (words []string) {
	for _, arg := range a.list {
		if arg.Value == "" {
			a.read[arg.Key] = true
			words = append(words, arg.Key)
		}
	}
	return words
}

// Unread returns the keys of the arguments that no other method has read, in order.
func (a *Args) Unread() (keys []string) {
	for _, arg := range a.list {
		if !a.read[arg.Key] {
			keys = append(keys, arg.Key)
		}
	}
	return keys
}

// ParseArgs parses a line of arguments, without a command. Tests use it for lines of their input.
func ParseArgs(line string) (Args, error) {
	a := Args{read: map[string]bool{}}
	for rest := strings.TrimSpace(line); rest != ""; rest = strings.TrimSpace(rest) {
		end := strings.IndexAny(rest, " =")
		if end < 0 {
			end = len(rest)
		}
		arg := Arg{Key: rest[:end]}
		if rest = rest[end:]; strings.HasPrefix(rest, "=") {
			var err error
			if arg.Value, rest, err = cutValue(rest[1:]); err != nil {
				return a, fmt.Errorf("value of %s: %w", arg.Key, err)
			}
		}
		if arg.Key == "" {
			return a, fmt.Errorf("an argument has no key: %s", line)
		}
		a.list = append(a.list, arg)
	}
	return a, nil
}

// cutValue cuts a word or a Go string literal off a line.
func cutValue(line string) (value, rest string, err error) {
	if line == "" || line[0] != '"' && line[0] != '`' {
		value, rest, _ = strings.Cut(line, " ")
		return value, rest, nil
	}
	quoted, err := strconv.QuotedPrefix(line)
	if err != nil {
		return "", "", err
	}
	value, err = strconv.Unquote(quoted)
	return value, line[len(quoted):], err
}
