package policy

import (
	"fmt"
	"strings"
	"unicode"
)

// pattern is a text in which some elements are wildcards.
type pattern []element

// element is one character, or a wildcard.
type element struct {
	char rune
	wild bool // '?' is any character, and '*' is any number of them
}

// literalPattern returns a pattern of a text without variables.
func literalPattern(text string) pattern {
	var p pattern
	for _, r := range text {
		p = append(p, element{r, r == '*' || r == '?'})
	}
	return p
}

// pattern replaces the variables of a text by their values. The signs of a value are no wildcards.
func (p *parser) pattern(text string, wildcards bool) (pattern, error) {
	var result pattern
	for {
		before, rest, found := strings.Cut(text, "${")
		for _, r := range before {
			result = append(result, element{r, wildcards && (r == '*' || r == '?')})
		}
		if !found {
			return result, nil
		}
		name, after, closed := strings.Cut(rest, "}")
		if !closed {
			return nil, fmt.Errorf("the variable ${%s has no closing brace", name)
		}
		value, err := p.variable(name)
		if err != nil {
			return nil, err
		}
		for _, r := range value {
			result = append(result, element{char: r})
		}
		text = after
	}
}

// variable returns the value of a variable, or its default, as in "${aws:username, 'none'}".
func (p *parser) variable(text string) (string, error) {
	switch text {
	case "*", "?", "$":
		return text, nil
	}
	name, fallback, hasDefault := strings.Cut(text, ",")
	name = strings.TrimSpace(name)
	if v, ok := p.variables[strings.ToLower(name)]; ok {
		return v, nil
	}
	fallback = strings.TrimSpace(fallback)
	if hasDefault && len(fallback) >= 2 && fallback[0] == '\'' && fallback[len(fallback)-1] == '\'' {
		return fallback[1 : len(fallback)-1], nil
	}
	return "", fmt.Errorf("the policy variable ${%s} has no value: set it in Variables", name)
}

// matches reports whether the text fits the pattern.
func (p pattern) matches(text string) bool {
	chars := []rune(text)
	i, j := 0, 0          // the next element and the next character
	star, resume := -1, 0 // the last '*', and the character after those that it takes
	for j < len(chars) {
		switch {
		case i < len(p) && p[i].wild && p[i].char == '*':
			star, resume = i, j
			i++
		case i < len(p) && (p[i].wild || p[i].char == chars[j]):
			i++
			j++
		case star >= 0:
			resume++
			i, j = star+1, resume
		default:
			return false
		}
	}
	for i < len(p) && p[i].wild && p[i].char == '*' {
		i++
	}
	return i == len(p)
}

// lower returns the pattern in lower case.
func (p pattern) lower() pattern {
	low := make(pattern, len(p))
	for i, e := range p {
		low[i] = element{unicode.ToLower(e.char), e.wild}
	}
	return low
}

// anyMatches reports whether one of the patterns matches.
func anyMatches(patterns []pattern, text string) bool {
	for _, p := range patterns {
		if p.matches(text) {
			return true
		}
	}
	return false
}
