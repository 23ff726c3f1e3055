package chart

import (
	"slices"
	"strconv"
	"strings"
)

// layout is how an attribute is stored, taken apart from its text.
type layout struct {
	text  string
	types []string
	holds *contents // nil: nothing, or nobody knows what
}

// contents is what a list, a map or a struct holds.
type contents struct {
	fields   map[string]*layout // of a struct; else nil
	elements *layout            // of a list or a map
	keys     string             // the type that a map's keys are the text of; empty: any text
}

// layoutParser reads the text of a layout.
type layoutParser struct {
	rest string
	told []*contents // in the order in which they were opened
}

// parseLayout is false where the text is none.
func parseLayout(text string) (*layout, bool) {
	p := layoutParser{rest: text}
	l, ok := p.layout()
	return l, ok && p.rest == ""
}

func (p *layoutParser) layout() (*layout, bool) {
	from := p.rest
	l := &layout{types: p.types()}
	ok := len(l.types) > 0
	switch {
	case p.took("="):
		digits := p.word("0123456789")
		n, err := strconv.Atoi(digits)
		if err != nil || n < 1 || n > len(p.told) {
			return nil, false
		}
		l.holds = p.told[n-1]
	case p.took("{"):
		l.holds = p.open()
		ok = p.fields(l.holds) && ok
	case p.took("["):
		l.holds = p.open()
		ok = p.elements(l.holds) && ok
	}
	l.text = from[:len(from)-len(p.rest)]
	return l, ok
}

func (p *layoutParser) open() *contents {
	c := &contents{}
	p.told = append(p.told, c)
	return c
}

var attributeTypes = []string{"S", "N", "B", "BOOL", "NULL", "M", "L", "SS", "NS", "BS"}

// types are attribute types with bars between them; none where one of them is unknown.
func (p *layoutParser) types() (types []string) {
	for {
		name := p.word("SNBOLUM")
		if !slices.Contains(attributeTypes, name) {
			return nil
		}
		types = append(types, name)
		if !p.took("|") {
			return types
		}
	}
}

func (p *layoutParser) fields(c *contents) bool {
	c.fields = map[string]*layout{}
	for next := ""; !p.took("}"); next = ", " {
		if !p.took(next) {
			return false
		}
		name, rest := cutWord(p.rest)
		p.rest = rest
		l, ok := p.layout()
		if _, twice := c.fields[name]; !ok || twice {
			return false
		}
		c.fields[name] = l
	}
	return true
}

func (p *layoutParser) elements(c *contents) bool {
	if of, _, keyed := strings.Cut(p.rest, ": "); keyed && !strings.ContainsAny(of, "{}[]= ") {
		c.keys, p.rest = of, p.rest[len(of)+2:]
	}
	var ok bool
	c.elements, ok = p.layout()
	return ok && p.took("]")
}

func (p *layoutParser) word(of string) string {
	rest := strings.TrimLeft(p.rest, of)
	text := p.rest[:len(p.rest)-len(rest)]
	p.rest = rest
	return text
}

func (p *layoutParser) took(text string) bool {
	rest, ok := strings.CutPrefix(p.rest, text)
	p.rest = rest
	return ok
}

// covers reports whether what was stored in one of some types is still of one of those that are read.
func (l *layout) covers(was *layout) bool {
	for _, t := range was.types {
		if t != "NULL" && !slices.Contains(l.types, t) {
			return false
		}
	}
	return true
}
