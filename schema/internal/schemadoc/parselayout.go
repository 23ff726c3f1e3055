package schemadoc

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// layoutParser parses the text of a layout.
type layoutParser struct {
	rest string
	seen []*Contents // in order of occurrence
}

// parseLayout returns false if the text is not a layout.
func parseLayout(text string) (*Layout, bool) {
	p := layoutParser{rest: text}
	l, ok := p.layout()
	return l, ok && p.rest == ""
}

func (p *layoutParser) layout() (*Layout, bool) {
	from := p.rest
	l := &Layout{Types: p.types()}
	ok := len(l.Types) > 0
	described := p.take("(")
	if described && ok {
		l.GoType, ok = p.goType()
	}
	switch {
	case p.take("="):
		number, err := strconv.Atoi(p.takeAll("0123456789"))
		if err != nil || number < 1 || number > len(p.seen) {
			return nil, false
		}
		l.Contents = p.seen[number-1]
	case p.take("{"):
		l.Contents = p.newContents()
		ok = ok && p.fields(l.Contents)
	case p.take("["):
		l.Contents = p.newContents()
		ok = ok && p.elements(l.Contents)
	}
	l.Text = from[:len(from)-len(p.rest)]
	if !described {
		l.GoType.Kind = defaultKind(l.Types)
		if l.GoType.Kind == KindMap && l.Contents != nil && l.Contents.Fields != nil {
			l.GoType.Kind = KindStruct
		}
	}
	return l, ok && l.GoType.Kind != ""
}

func (p *layoutParser) newContents() *Contents {
	c := &Contents{}
	p.seen = append(p.seen, c)
	return c
}

var attributeTypes = []string{"S", "N", "B", "BOOL", "NULL", "M", "L", "SS", "NS", "BS"}

// types parses attribute types separated by |. It returns none if one is unknown.
func (p *layoutParser) types() (types []string) {
	for {
		name := p.takeAll("SNBOLUM")
		if !slices.Contains(attributeTypes, name) {
			return nil
		}
		types = append(types, name)
		if !p.take("|") {
			return types
		}
	}
}

var goTypePattern = sync.OnceValue(func() *regexp.Regexp {
	const word = `("(?:[^"\\]|\\.)+"|[^ )"]+)`
	return regexp.MustCompile(`^(?:([a-z/]+) of ` + word + ` else )?([a-z]+\d*|\d+ [a-z]+)(?: written by ([a-z]+)(?: of ` + word + `)?)?(?: as ` + word + `)?\)`)
})

// goType parses the description of a Go type after its opening parenthesis.
func (p *layoutParser) goType() (g GoType, ok bool) {
	match := goTypePattern().FindStringSubmatch(p.rest)
	if match == nil {
		return g, false
	}
	p.rest = p.rest[len(match[0]):]
	g = GoType{Kind: match[3], Written: match[4]}
	if match[1] != "" {
		g.Methods = strings.Split(match[1], "/")
	}
	g.Of, _ = cutWord(match[2] + match[5])
	g.Format, _ = cutWord(match[6])
	return g, g.valid()
}

// valid reports whether the kind and all methods are known.
func (g GoType) valid() bool {
	_, unit := ArraySize(g.Kind)
	known := slices.Contains(kinds, g.Kind) || unit == UnitBytes || unit == UnitElements
	for _, name := range append(g.Methods, g.Written) {
		known = known && slices.Contains([]string{"", ByText, ByBinary, ByAttribute, ByKind}, name)
	}
	return known
}

func (p *layoutParser) fields(c *Contents) bool {
	c.Fields = map[string]*Layout{}
	for next := ""; !p.take("}"); next = ", " {
		if !p.take(next) {
			return false
		}
		name, rest := cutWord(p.rest)
		p.rest = rest
		l, ok := p.layout()
		if _, duplicate := c.Fields[name]; !ok || duplicate {
			return false
		}
		c.Fields[name] = l
	}
	return true
}

func (p *layoutParser) elements(c *Contents) (ok bool) {
	c.Elements, ok = p.layout()
	if ok && p.take(": ") {
		c.Keys = c.Elements
		c.Elements, ok = p.layout()
		ok = ok && c.Keys.Contents == nil
	}
	return ok && p.take("]")
}

// takeAll takes all leading characters that are in a set.
func (p *layoutParser) takeAll(set string) string {
	rest := strings.TrimLeft(p.rest, set)
	text := p.rest[:len(p.rest)-len(rest)]
	p.rest = rest
	return text
}

func (p *layoutParser) take(text string) bool {
	rest, ok := strings.CutPrefix(p.rest, text)
	p.rest = rest
	return ok
}
