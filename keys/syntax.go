package keys

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Field is a placeholder of a template.
type Field struct {
	Name   string // attribute name
	Format string // as written, with ",desc"; empty if there is none
	Kind   Kind   // 0 until compiled
	Offset int    // offset of the placeholder's '<' in the template, in bytes
}

// Syntax is the parsed text of a template before compilation.
type Syntax struct {
	text string
	// literals are the texts before, between and after the slots; there is one more than slots.
	literals []literal
	slots    []slot
}

type literal struct {
	text   string
	offset int
}

// slot is a placeholder as written.
type slot struct {
	Field
	text   string // with its angle brackets
	format string // without ",desc"
	desc   bool
	bad    bool // already reported; not checked again
}

// Parse validates a template's syntax without its fields. The error is a [Faults] that holds every
// fault. The Syntax then still holds the placeholders that could be parsed.
func Parse(text string) (Syntax, error) {
	s, faults := scan(text)
	return s, faults.orNil()
}

// String returns the template's text.
func (s Syntax) String() string { return s.text }

// Fields returns the placeholders in the order of the text.
func (s Syntax) Fields() []Field {
	var fields []Field
	for _, slot := range s.slots {
		if !slot.bad {
			fields = append(fields, slot.Field)
		}
	}
	return fields
}

// scanner parses a template. It continues after a fault so that all faults are reported.
type scanner struct {
	Syntax
	faults Faults
}

func scan(text string) (Syntax, Faults) {
	s := &scanner{Syntax: Syntax{text: text}}
	if text == "" {
		s.fault(0, "", "the template is empty", "write literal text, or a field as in <id>")
	}
	start := 0
	for pos := 0; pos < len(text); {
		if text[pos] != '<' {
			pos++
			continue
		}
		s.literal(start, pos)
		pos = s.placeholder(pos)
		start = pos
	}
	s.literal(start, len(text))
	return s.Syntax, s.faults
}

func (s *scanner) fault(offset int, text, reason, hint string) {
	s.faults = append(s.faults, &SyntaxError{Template: s.text, Offset: offset, Text: text, Reason: reason, Hint: hint})
}

func (s *scanner) literal(start, end int) {
	text := s.text[start:end]
	s.literals = append(s.literals, literal{text, start})
	for i, r := range text {
		width := max(1, utf8.RuneLen(r))
		switch {
		case r == '$':
			s.fault(start+i, "$", "literal text holds no $, which marks escaped bytes", "leave it out")
		case r == '>':
			s.fault(start+i, ">", "a > without its <", "leave it out, or put < before the field's name")
		case r == utf8.RuneError && !strings.HasPrefix(text[i:], "\uFFFD"):
			s.fault(start+i, text[i:i+1], "literal text is not UTF-8", "leave it out")
		case unicode.IsControl(r):
			s.fault(start+i, text[i:i+width], "literal text holds no control character", "leave it out")
		}
	}
}

// placeholder parses the placeholder at pos and returns the offset after it.
func (s *scanner) placeholder(pos int) int {
	open := run(s.text[pos:], '<')
	start := pos + open
	length := strings.IndexAny(s.text[start:], "<>")
	if length < 0 {
		length = len(s.text) - start
	}
	end := start + length
	if end == len(s.text) || s.text[end] == '<' {
		s.fault(pos, s.text[pos:end], "the placeholder is not closed", "end it with >")
		s.slots = append(s.slots, slot{bad: true})
		return end
	}
	after := end + min(open, run(s.text[end:], '>'))
	s.slots = append(s.slots, s.slot(pos, s.text[start:end], s.text[pos:after]))
	return after
}

// run returns how often b is repeated at the start of text.
func run(text string, b byte) int { return len(text) - len(strings.TrimLeft(text, string(b))) }

// slot parses a placeholder. The body is the text between its brackets.
func (s *scanner) slot(offset int, body, text string) slot {
	name, spec, formatted := strings.Cut(body, ":")
	format, modifier, modified := strings.Cut(spec, ",")
	p := slot{Field: Field{Name: strings.TrimSpace(name), Format: spec, Offset: offset}, text: text, format: strings.TrimSpace(format), desc: modified}
	modifier = strings.TrimSpace(modifier)
	fault := func(reason, hint string) {
		p.bad = true
		s.fault(offset, text, reason, hint)
	}
	badRune := func(r rune) bool { return r == utf8.RuneError || unicode.IsControl(r) }
	switch {
	case p.Name == "":
		fault("the placeholder names no field", "write the attribute's name behind the <")
	case strings.ContainsFunc(body, badRune):
		fault("the placeholder holds a control character or is not UTF-8", "leave it out")
	case !formatted && strings.Contains(name, ","):
		fault("a comma stands after a format only", "name the format before the comma")
	case formatted && strings.TrimSpace(spec) == "":
		fault("the format is empty", "name a format after the colon, or leave the colon out")
	case modified && p.format == "":
		fault("desc needs a format before it", "name the format before the comma")
	case modified && modifier != "desc":
		hint := "leave out the comma and what follows it"
		if nearest(modifier, "desc") != "" {
			hint = p.asked(p.format, true)
		}
		fault("what follows a format's comma can only be desc", hint)
	default:
		s.notation(&p)
	}
	return p
}

// notation reports extra brackets and spaces. The placeholder is still checked further, because its
// parts are unambiguous.
func (s *scanner) notation(p *slot) {
	p.Format = p.format
	if p.desc {
		p.Format += ",desc"
	}
	if meant := p.spelled(p.Format); meant != p.text {
		s.faults = append(s.faults, &SyntaxError{
			Template: s.text, Offset: p.Offset, Text: p.text, Hint: "write " + meant, notation: true,
			Reason: "a placeholder has one < and one >, and no spaces around its parts",
		})
	}
}

// distinct drops the notation faults of placeholders that have another fault.
func (f Faults) distinct() Faults {
	return slices.DeleteFunc(f, func(x *SyntaxError) bool {
		return x.notation && slices.ContainsFunc(f, func(y *SyntaxError) bool { return y != x && y.Offset == x.Offset })
	})
}

// orNil returns the faults as an error, sorted by offset. It returns nil if there are none.
func (f Faults) orNil() error {
	if len(f) == 0 {
		return nil
	}
	slices.SortStableFunc(f, func(a, b *SyntaxError) int { return a.Offset - b.Offset })
	return f
}
