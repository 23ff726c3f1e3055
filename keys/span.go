package keys

// span is the set of keys that share the text before one placeholder. Its bounds contain every
// query on the placeholder.
type span struct {
	t    *Template
	i    int
	part *part
	head string // text before the placeholder
}

func (t *Template) span(i int, head string) span {
	return span{t: t, i: i, part: &t.parts[i], head: head}
}

// low returns the lower bound of the keys of the span.
func (s *span) low() string {
	if s.part.stepper == nil {
		return s.head
	}
	return s.head + s.part.least
}

// high returns the upper bound of the keys of the span. It is empty if there is none.
func (s *span) high() string {
	if s.i == 0 {
		return s.t.high
	}
	return s.raised()
}

// raised computes the result of high.
func (s *span) raised() string {
	switch {
	case s.part.stepper != nil:
		return s.head + s.part.ceiling
	case s.head == "":
		return ""
	}
	if high, ok := raised(s.head, s.t.limit); ok {
		return high
	}
	return filled(s.head, s.t.limit)
}

// fits reports whether any key of the span is within the size limit.
func (s *span) fits() bool { return len(s.head)+s.t.rest[s.i] <= s.t.limit }

// closed returns the least text above every key that starts with text and a delimiter. This text is
// never a key. If nothing follows the placeholder, closed returns text, which is the key.
func (s *span) closed(text string) string { return s.part.closed(text, s.t.delimiter) }

func (p *part) closed(text string, delimiter byte) string {
	if p.last {
		return text
	}
	return text + string(delimiter+1)
}

// compare returns the range of an operator other than Eq, in key order. The arguments at and to are
// the key texts up to the end of the operands; to is used only with two operands. The operand is
// the last one.
func (s *span) compare(op Op, at, to string, operand Value) Range {
	if !s.fits() {
		return Range{Type: s.t.attr}
	}
	switch op {
	case BeginsWith:
		return s.t.rangeOf(Prefix, at, "")
	case Ge:
		return s.between(at, s.high())
	case Le:
		return s.between(s.low(), s.upTo(at))
	case Between:
		return s.between(at, s.upTo(to))
	case During:
		return s.during(at, to, operand)
	case Gt:
		high := s.high()
		if lo, ok := s.after(at); ok && (high == "" || lo < high) {
			return s.between(lo, high)
		}
	case Lt:
		if at[len(s.head):] != s.part.least {
			return s.between(s.low(), s.before(at, operand))
		}
	}
	return Range{Type: s.t.attr}
}

// during returns the range of a period between two texts, without its end. The text lo is below hi.
// The end is hi, or lo if keys are in descending order.
func (s *span) during(lo, hi string, end Value) Range {
	if !s.part.desc {
		return s.between(lo, s.before(hi, end))
	}
	first, _ := s.after(lo) // hi is above lo, so there is one
	return s.between(first, s.upTo(hi))
}

// between returns the range from lo to hi. An empty bound is open.
func (s *span) between(lo, hi string) Range {
	switch {
	case lo == "":
		return s.t.rangeOf(LessEq, hi, "")
	case hi == "":
		return s.t.rangeOf(GreaterEq, lo, "")
	}
	return s.t.rangeOf(Within, lo, hi)
}

// upTo returns the inclusive upper bound of the keys with the value at the end of text.
func (s *span) upTo(text string) string {
	if bound := s.closed(text); len(bound) <= s.t.limit {
		return bound
	}
	return text
}

// after returns the first text above every key with the value at the end of text.
func (s *span) after(text string) (string, bool) {
	if bound := s.closed(text); !s.part.last && len(bound) <= s.t.limit {
		return bound, true
	}
	return following(text, s.t.limit)
}

// before returns the last text below every key with the value at the end of text. It uses the
// previous value if the codec has one.
func (s *span) before(text string, operand Value) string {
	c, ok := s.part.codec.(neighbored)
	switch {
	case !s.part.last:
		return text
	case !ok && s.t.attr == B:
		return precedingBytes(text, s.t.limit)
	case !ok:
		return preceding(text, s.t.limit)
	}
	dir := -1
	if s.part.desc {
		dir = 1
	}
	return s.head + s.t.mode.write(encoded(s.part.codec, c.step(operand, dir)))
}
