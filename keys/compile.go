package keys

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
)

const (
	defaultDelimiter = "#"
	partitionLimit   = 2048
	sortLimit        = 1024
	shardName        = "shard" // placeholder name of sharded partitions
)

// AttrType is the type of a key attribute, in DynamoDB's notation.
type AttrType string

// The types of a key attribute.
const (
	S AttrType = "S"
	N AttrType = "N"
	B AttrType = "B"
)

// Options describe the key attribute that a template is compiled for. The zero Options describe a
// sort key of type S with escaped values and the delimiter '#', where every field is text.
type Options struct {
	Type AttrType // type of the key attribute; zero means S
	// Delimiter is one printable ASCII character other than a letter, a digit, $, < or >. Zero
	// means "#". Any other delimiter implies Raw.
	Delimiter string
	// Raw writes values unescaped. It is meant for tables that hold such keys already.
	Raw       bool
	Partition bool              // a key has at most 2048 bytes instead of 1024
	Formats   map[string]Format // named formats of the table's config
	Kind      func(field string) (Kind, bool)
}

// Compile validates a template and compiles it. The error is a [Faults] that holds every fault of
// the template. A fault of the options has offset 0.
func Compile(text string, o Options) (*Template, error) {
	syntax, faults := scan(text)
	c := &compiler{scanner: scanner{syntax, faults}, o: o, t: &Template{text: text, attr: o.Type, limit: sortLimit}}
	c.options()
	c.setMode()
	c.placeholders()
	c.separators()
	c.measure()
	if err := c.faults.distinct().orNil(); err != nil {
		return nil, err
	}
	if len(c.t.parts) > 0 {
		s := c.t.span(0, c.t.literals[0])
		c.t.high = s.raised()
	}
	c.t.language = sync.OnceValue(c.t.writeLanguage)
	return c.t, nil
}

type compiler struct {
	scanner
	o Options
	t *Template
	// composed means that the attribute's type does not allow the template. The fault is reported
	// already.
	composed bool
}

func (c *compiler) options() {
	if c.t.attr == "" {
		c.t.attr = S
	}
	if c.t.attr != S && c.t.attr != N && c.t.attr != B {
		c.fault(0, "", "a key attribute is of type S, N or B", "leave the type out for S")
	}
	if c.o.Partition {
		c.t.limit = partitionLimit
	}
	if c.o.Delimiter == "" {
		c.o.Delimiter = defaultDelimiter
	}
	c.t.delimiter = c.o.Delimiter[0]
	if len(c.o.Delimiter) > 1 || !canDelimit(c.t.delimiter) {
		c.fault(0, "", "a delimiter is one printable ASCII character, and no letter, digit, $, < or >", "such as # or |")
	}
	for _, name := range slices.Sorted(maps.Keys(c.o.Formats)) {
		switch {
		case isBuiltin(name) || strings.ContainsAny(name, "<>,:") || name == "":
			c.fault(0, "", fmt.Sprintf("a named format cannot be called %q", name), "choose a name that is no built-in format's, without <>,:")
		case !c.o.Formats[name].complete():
			c.fault(0, "", fmt.Sprintf("the named format %q lacks Encode or Decode, or has a negative width", name), "complete it, or make it by Layout")
		}
	}
}

func canDelimit(b byte) bool {
	return b > ' ' && b < 0x7f && !strings.ContainsRune("$<>", rune(b)) &&
		(b < '0' || b > '9') && (b < 'A' || b > 'Z') && (b < 'a' || b > 'z')
}

func (c *compiler) setMode() {
	lone := len(c.slots) == 1 && c.literals[0].text == "" && c.literals[1].text == ""
	switch {
	case lone:
		c.t.mode = native
	case c.o.Raw || c.o.Delimiter != defaultDelimiter:
		c.t.mode = raw
	}
	if c.composed = !lone && c.t.attr != S && c.text != ""; c.composed {
		c.fault(0, "", fmt.Sprintf("a key of several parts or with literal text is of type S, not %s", c.t.attr), "write one placeholder alone, or make the attribute of type S")
	}
}

func (c *compiler) placeholders() {
	for _, l := range c.literals {
		c.t.literals = append(c.t.literals, l.text)
	}
	for i := range c.slots {
		p := part{Field: c.slots[i].Field, last: i == len(c.slots)-1 && c.literals[i+1].text == ""}
		if !c.slots[i].bad {
			c.compilePart(&c.slots[i], &p)
		}
		c.t.parts = append(c.t.parts, p)
	}
}

func (c *compiler) compilePart(s *slot, p *part) {
	fault := func(reason, hint string) { c.fault(s.Offset, s.text, reason, hint) }
	if s.Name == shardName {
		fault("the name shard is reserved for sharded partitions", "rename the attribute")
		return
	}
	p.Kind = KindText
	if c.o.Kind != nil {
		kind, ok := c.o.Kind(s.Name)
		if !ok || kind == 0 || kind > KindBytes {
			fault("no field of that name can be a key", "name another field")
			return
		}
		p.Kind = kind
	}
	found, reason, hint := c.codec(p.Kind, s)
	switch {
	case reason != "" && c.composed:
		return
	case reason != "":
		fault(reason, hint)
		return
	}
	p.set(found, c.t.mode, c.t.delimiter)
	if holds := p.least + p.greatest; c.t.mode == raw && !p.last && strings.IndexByte(holds, c.t.delimiter) >= 0 {
		fault("the format writes the delimiter, so nothing can follow it", "put the placeholder last")
	}
}

func (c *compiler) codec(kind Kind, s *slot) (codec, string, string) {
	if c.t.attr != S && c.t.mode == native {
		return attributeCodec(c.t.attr, kind, s)
	}
	found, reason, hint := c.o.resolve(kind, s.format)
	if reason != "" {
		if meant := c.o.meant(kind, s.format); meant != "" {
			return nil, reason, s.asked(meant, s.desc)
		}
		return nil, reason, "such as " + s.spelled(usual(kind)) + "; " + hint
	}
	if !s.desc {
		return found, "", ""
	}
	if found = reverse(found); found == nil {
		return nil, "the format has no descending form", "desc goes with 08, ord, the formats of times and layouts"
	}
	return found, "", ""
}

// attributeCodec returns the codec of a template that is a whole N or B attribute.
func attributeCodec(attr AttrType, kind Kind, s *slot) (c codec, reason, hint string) {
	switch format := s.Format; {
	case attr == B && kind == KindBytes && format == "":
		return binary{}, "", ""
	case attr == B && kind == KindBytes:
		return nil, "bytes on a key attribute of type B have no format", "write <" + s.Name + ">"
	case attr == B:
		return nil, "a key attribute of type B holds a []byte", "use a field of that type, or make the attribute of type S"
	case kind == KindTime && format == "unix":
		return unixAttribute{}, "", ""
	case kind == KindTime:
		return nil, "a time on a key attribute of type N has the format unix", "write <" + s.Name + ":unix>"
	case kind != KindInt && kind != KindUint && kind != KindFloat:
		return nil, "a key attribute of type N holds a number or a time", "use such a field, or make the attribute of type S"
	case format != "":
		return nil, "a number on a key attribute of type N has no format", "write <" + s.Name + ">"
	}
	return numberAttribute{kind}, "", ""
}

// separators checks that the delimiter follows every placeholder that is not at the end.
func (c *compiler) separators() {
	for i := range c.slots {
		next := c.literals[i+1]
		ends := next.offset == len(c.text)
		if c.slots[i].bad || ends || c.composed || c.faultyIn(next) || next.text != "" && next.text[0] == c.t.delimiter {
			continue
		}
		c.fault(next.offset, next.text, fmt.Sprintf("what follows a placeholder starts with the delimiter %q", string(c.t.delimiter)), "put "+string(c.t.delimiter)+" behind the placeholder")
	}
}

// faultyIn reports whether a fault is already reported at the start of a literal.
func (c *compiler) faultyIn(l literal) bool {
	return slices.ContainsFunc(c.faults, func(f *SyntaxError) bool {
		return f.Text != "" && (f.Offset == l.offset || f.Text == ">" && f.Offset > l.offset && f.Offset < l.offset+len(l.text))
	})
}

// measure computes the minimum length of the key text from each placeholder on. It reports a key
// that always exceeds the limit.
func (c *compiler) measure() {
	t := c.t
	t.rest = make([]int, len(t.parts)+1)
	for i := len(t.parts) - 1; i >= 0; i-- {
		t.rest[i] = t.parts[i].width + len(t.literals[i+1]) + t.rest[i+1]
	}
	if size := len(t.literals[0]) + t.rest[0]; size > t.limit {
		c.fault(0, "", fmt.Sprintf("the shortest key has %s, and %d are the most", counted(size, "byte"), t.limit), "shorten the literal text")
	}
}
