package keys

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Field is a placeholder of a template.
type Field struct {
	Name   string // the attribute name
	Format string // as written, ",desc" included; empty without one
	Kind   Kind   // 0 until compiled
	Offset int    // of the placeholder's '<' in the template, in bytes
}

// Syntax is a template's text, taken apart but not yet compiled.
type Syntax struct {
	text     string
	literals []literal // one more than slots: the text before, between and after them
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
	bad    bool // reported already: not to be looked at again
}

// Parse checks a template's syntax, without knowing its fields. Its error is a Faults with every fault; the Syntax then
// still holds the placeholders that could be read.
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

// scanner takes a template apart and goes on after a fault, so that all of them are reported.
type scanner struct {
	Syntax
	faults Faults
}

func scan(text string) (Syntax, Faults) {
	s := &scanner{Syntax: Syntax{text: text}}
	if text == "" {
		s.fault(0, "", "the template is empty", "")
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
			s.fault(start+i, "$", "literal text holds no $, which marks escaped bytes", "")
		case r == '>':
			s.fault(start+i, ">", "a > without its <", "")
		case r == utf8.RuneError && !strings.HasPrefix(text[i:], "\uFFFD"):
			s.fault(start+i, text[i:i+1], "literal text is not UTF-8", "")
		case unicode.IsControl(r):
			s.fault(start+i, text[i:i+width], "literal text holds no control character", "")
		}
	}
}

// placeholder reads the one that starts at pos and returns where the text goes on.
func (s *scanner) placeholder(pos int) int {
	length := strings.IndexAny(s.text[pos+1:], "<>")
	if length < 0 {
		length = len(s.text) - pos - 1
	}
	end := pos + 1 + length
	if end == len(s.text) || s.text[end] == '<' {
		s.fault(pos, s.text[pos:end], "the placeholder is not closed", "end it with >")
		s.slots = append(s.slots, slot{bad: true})
		return end
	}
	s.slots = append(s.slots, s.slot(pos, end+1))
	return end + 1
}

func (s *scanner) slot(start, end int) slot {
	body := s.text[start+1 : end-1]
	name, spec, formatted := strings.Cut(body, ":")
	p := slot{Field: Field{Name: name, Format: spec, Offset: start}, text: s.text[start:end]}
	fault := func(reason, hint string) {
		p.bad = true
		s.fault(start, p.text, reason, hint)
	}
	badRune := func(r rune) bool { return r == utf8.RuneError || unicode.IsControl(r) }
	switch {
	case name == "":
		fault("the placeholder names no field", "")
	case strings.ContainsFunc(body, badRune):
		fault("the placeholder holds a control character or is not UTF-8", "")
	case strings.TrimSpace(body) != body || strings.TrimSpace(name) != name:
		fault("there is a space around a name", "")
	case !formatted && strings.Contains(name, ","):
		fault("a comma stands after a format only", "write <name:format,desc>")
	case formatted && spec == "":
		fault("the format is empty", "leave out the colon, or name a format after it")
	}
	var modifier string
	var modified bool
	p.format, modifier, modified = strings.Cut(spec, ",")
	p.desc = modified
	switch {
	case p.bad || !modified:
	case p.format == "":
		fault("desc needs a format before it", "write <name:format,desc>")
	case modifier != "desc":
		hint := ""
		if nearest(modifier, "desc") != "" {
			hint = p.asked(p.format, true)
		}
		fault("what follows a format's comma can only be desc", hint)
	}
	return p
}

// orNil makes a plain error of the faults, sorted by offset: nil if there are none.
func (f Faults) orNil() error {
	if len(f) == 0 {
		return nil
	}
	slices.SortStableFunc(f, func(a, b *SyntaxError) int { return a.Offset - b.Offset })
	return f
}
