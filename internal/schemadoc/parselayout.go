package schemadoc

import (
	"slices"
	"strconv"
	"strings"
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
		number, err := strconv.Atoi(p.takeAll(digits))
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

const (
	digits  = "0123456789"
	letters = "abcdefghijklmnopqrstuvwxyz"
)

// goType parses the description of a Go type after its opening parenthesis.
func (p *layoutParser) goType() (g GoType, ok bool) {
	if text, rest, _ := strings.Cut(p.rest, " "); strings.Trim(text, "/"+letters) == "" && strings.HasPrefix(rest, "of ") {
		g.Methods = strings.Split(text, "/")
		p.rest = rest
		if !p.take("of ") || !p.name(&g.Of) || !p.take(" else ") {
			return g, false
		}
	}
	if g.Kind = p.kind(); g.Kind == "" {
		return g, false
	}
	if p.take(" written by ") {
		g.Written = p.takeAll(letters)
		if g.Methods == nil && (!p.take(" of ") || !p.name(&g.Of)) {
			return g, false
		}
	}
	if p.take(" as ") && !p.name(&g.Format) {
		return g, false
	}
	return g, p.take(")") && g.methodsKnown()
}

// kind parses a kind of Go type. It returns "" if the kind is unknown.
func (p *layoutParser) kind() string {
	if size := p.takeAll(digits); size != "" {
		for _, unit := range []string{" " + UnitBytes, " " + UnitElements} {
			if p.take(unit) {
				return size + unit
			}
		}
		return ""
	}
	kind := p.takeAll(letters) + p.takeAll(digits)
	if !slices.Contains(kinds, kind) {
		return ""
	}
	return kind
}

func (g GoType) methodsKnown() bool {
	unknown := func(name string) bool { return !slices.Contains([]string{ByText, ByBinary, ByAttribute}, name) }
	return !slices.ContainsFunc(g.Methods, unknown) && (g.Written == "" || g.Written == ByKind || !unknown(g.Written))
}

// name parses a word. An unquoted word ends at a space or a closing parenthesis.
func (p *layoutParser) name(into *string) bool {
	if quoted, err := strconv.QuotedPrefix(p.rest); err == nil {
		p.rest = p.rest[len(quoted):]
		*into, err = strconv.Unquote(quoted)
		return err == nil
	}
	end := strings.IndexAny(p.rest, " )")
	if end < 1 {
		return false
	}
	*into, p.rest = p.rest[:end], p.rest[end:]
	return true
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
