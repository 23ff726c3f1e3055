package chart

import (
	"slices"
	"strconv"
	"strings"
)

// layout is the parsed description of how an attribute is stored.
type layout struct {
	text   string
	types  []string
	goType goType
	holds  *contents // nil: no contents, or unknown
}

// contents is what a list, a map or a struct contains.
type contents struct {
	fields   map[string]*layout // nil unless it is a struct
	elements *layout            // of a list or a map
	keys     *layout            // of a map; nil: strings
}

// layoutParser parses the text of a layout.
type layoutParser struct {
	rest    string
	version int         // the version of the description
	told    []*contents // in order of occurrence
}

// parseLayout returns false if the text is not a layout.
func parseLayout(text string, version int) (*layout, bool) {
	p := layoutParser{rest: text, version: version}
	l, ok := p.layout()
	return l, ok && p.rest == ""
}

func (p *layoutParser) layout() (*layout, bool) {
	from := p.rest
	l := &layout{types: p.types()}
	ok := len(l.types) > 0
	described := p.took("(")
	if described {
		l.goType, ok = p.goType()
		ok = ok && len(l.types) > 0
	}
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
	if !described {
		l.implied(p.version)
	}
	return l, ok
}

// implied fills in what the text of the layout omits.
func (l *layout) implied(version int) {
	has := func(t string) bool { return slices.Contains(l.types, t) }
	switch {
	case has("M") && l.holds != nil && l.holds.fields != nil:
		l.goType.kind = kindStruct
	case has("M") && l.holds != nil:
		l.goType.kind = kindMap
		if version == 1 && l.holds.keys == nil {
			l.holds.keys = &layout{types: []string{"S"}} // strings, or the texts of a method
		}
	case version > 1:
		l.goType.kind = ordinary(l.types)
	}
	switch {
	case l.holds != nil || l.goType.kind != kindList:
	case has("SS"):
		l.holds = &contents{elements: &layout{text: "S", types: []string{"S"}, goType: goType{kind: kindString}}}
	case has("BS"):
		l.holds = &contents{elements: &layout{text: "B", types: []string{"B"}, goType: goType{kind: kindBytes}}}
	}
}

func (p *layoutParser) open() *contents {
	c := &contents{}
	p.told = append(p.told, c)
	return c
}

var attributeTypes = []string{"S", "N", "B", "BOOL", "NULL", "M", "L", "SS", "NS", "BS"}

// types parses attribute types separated by |. It returns none if one is unknown.
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

// goType parses the description of a Go type after its opening parenthesis.
func (p *layoutParser) goType() (g goType, ok bool) {
	if text, rest, _ := strings.Cut(p.rest, " "); strings.Trim(text, "/abcdefghijklmnopqrstuvwxyz") == "" && strings.HasPrefix(rest, "of ") {
		g.methods = strings.Split(text, "/")
		p.rest = rest
		if !p.took("of ") || !p.name(&g.of) || !p.took(" else ") {
			return g, false
		}
	}
	if g.kind = p.kind(); g.kind == "" {
		return g, false
	}
	if p.took(" written by ") {
		g.written = p.word("abcdefghijklmnopqrstuvwxyz")
		if g.methods == nil && (!p.took(" of ") || !p.name(&g.of)) {
			return g, false
		}
	}
	if p.took(" as ") && !p.name(&g.format) {
		return g, false
	}
	return g, p.took(")") && g.known()
}

// kind parses a kind of Go type. It returns "" if the kind is unknown.
func (p *layoutParser) kind() string {
	if size := p.word("0123456789"); size != "" {
		for _, unit := range []string{" " + unitBytes, " " + unitElements} {
			if p.took(unit) {
				return size + unit
			}
		}
		return ""
	}
	kind := p.word("abcdefghijklmnopqrstuvwxyz") + p.word("0123456789")
	if !slices.Contains(kinds, kind) {
		return ""
	}
	return kind
}

// known reports whether all methods are known.
func (g goType) known() bool {
	known := func(name string) bool { return name == byText || name == byBinary || name == byAttribute }
	return !slices.ContainsFunc(g.methods, func(name string) bool { return !known(name) }) &&
		(g.written == "" || g.written == byKind || known(g.written))
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

func (p *layoutParser) elements(c *contents) (ok bool) {
	c.elements, ok = p.layout()
	if p.took(": ") {
		c.keys = c.elements
		keyed := ok && c.keys.holds == nil
		c.elements, ok = p.layout()
		ok = ok && keyed
	}
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
