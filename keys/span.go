package keys

// span is the keys that share the text before one placeholder, and the bounds that no query on it leaves.
type span struct {
	t    *Template
	i    int
	part *part
	head string // the text before the placeholder
}

func (t *Template) span(i int, head string) span {
	return span{t: t, i: i, part: &t.parts[i], head: head}
}

// low is the text below which no key of the span is.
func (s *span) low() string {
	if s.part.stepper == nil {
		return s.head
	}
	return s.head + s.part.least
}

// high is the text above which no key of the span is; empty where nothing bounds them from above.
func (s *span) high() string {
	if s.i == 0 {
		return s.t.high
	}
	return s.raised()
}

// raised is high, made anew.
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

// fits reports whether any key of the span is short enough.
func (s *span) fits() bool { return len(s.head)+s.t.rest[s.i] <= s.t.limit }

// closed is the least text above every key that starts with text and a delimiter: no key itself. Where nothing follows
// the placeholder, text is the key.
func (s *span) closed(text string) string { return s.part.closed(text, s.t.delimiter) }

func (p *part) closed(text string, delimiter byte) string {
	if p.last {
		return text
	}
	return text + string(delimiter+1)
}

// compare returns the range of an operator other than Eq, as keys sort, with the texts up to the operands' ends: at, and to where there are
// two. The operand is the last one.
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

// during is the range of a period between two texts, lo below hi, without its end: hi, or lo where keys sort downwards.
func (s *span) during(lo, hi string, end Value) Range {
	if !s.part.desc {
		return s.between(lo, s.before(hi, end))
	}
	first, _ := s.after(lo) // there is one: hi lies above
	return s.between(first, s.upTo(hi))
}

// between is the range from lo to hi; an empty bound is open.
func (s *span) between(lo, hi string) Range {
	switch {
	case lo == "":
		return s.t.rangeOf(LessEq, hi, "")
	case hi == "":
		return s.t.rangeOf(GreaterEq, lo, "")
	}
	return s.t.rangeOf(Within, lo, hi)
}

// upTo is the last text that a key with the value at the end of text can be below or equal to.
func (s *span) upTo(text string) string {
	if bound := s.closed(text); len(bound) <= s.t.limit {
		return bound
	}
	return text
}

// after is the first text above every key with the value at the end of text.
func (s *span) after(text string) (string, bool) {
	if bound := s.closed(text); !s.part.last && len(bound) <= s.t.limit {
		return bound, true
	}
	return following(text, s.t.limit)
}

// before is the last text below every key with the value at the end of text: the value before it, where it has a neighbor.
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
