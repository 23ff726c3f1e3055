package keyspace

// subspace is the set of keys that share the text before one segment. Its bounds contain every
// range of the segment.
type subspace struct {
	*Space
	i       int
	segment *Segment
	prefix  string // text before the segment
}

func (s *Space) subspace(i int, prefix string) subspace {
	return subspace{Space: s, i: i, segment: &s.Segments[i], prefix: prefix}
}

// low returns the lower bound of the keys.
func (s *subspace) low() string {
	if s.segment.Greatest == "" {
		return s.prefix
	}
	return s.prefix + s.segment.Least
}

// high returns the upper bound of the keys. It is empty if there is none.
func (s *subspace) high() string {
	if s.i == 0 {
		return s.upper
	}
	return s.computeHigh()
}

// computeHigh computes the result of high.
func (s *subspace) computeHigh() string {
	switch {
	case s.segment.upper != "":
		return s.prefix + s.segment.upper
	case s.prefix == "":
		return ""
	}
	if high, ok := prefixSuccessor(s.prefix, s.Limit); ok {
		return high
	}
	return maxFill(s.prefix, s.Limit)
}

// fits reports whether any key is within the size limit.
func (s *subspace) fits() bool { return len(s.prefix)+s.minSizes[s.i] <= s.Limit }

// end returns the least text above every key that starts with text and a delimiter. This text is
// never a key. If nothing follows the segment, end returns text, which is the key.
func (s *Space) end(g *Segment, text string) string {
	if g.last {
		return text
	}
	return text + string(s.Delimiter+1)
}

// Range returns the range of all keys that start with prefix, which ends before segment i. If i is
// the number of segments, prefix is a key.
func (s *Space) Range(i int, prefix string) Range {
	switch {
	case i == len(s.Segments):
		return s.rangeOf(Eq, prefix, "")
	case s.Mode == Native:
		return s.rangeOf(All, "", "")
	}
	sub := s.subspace(i, prefix)
	switch {
	case !sub.fits():
		return s.rangeOf(None, "", "")
	case sub.segment.Greatest != "":
		return sub.between(sub.low(), sub.high())
	case prefix == "":
		return s.rangeOf(All, "", "")
	}
	return s.rangeOf(BeginsWith, prefix, "")
}

// Comparison compares a segment with operands. All its texts are keys up to the end of a value.
type Comparison struct {
	Op Op // in the order of the keys; neither All nor Eq
	Lo string
	Hi string // of Between and During; above Lo for During
	// Before has the value before Lo for Lt, and before Hi for During. It is empty if values of the
	// format have no predecessor or the segment is not the last one.
	Before string
}

// Compare returns the range of the keys that start with prefix, which ends before segment i, and
// satisfy the comparison.
func (s *Space) Compare(i int, prefix string, c Comparison) Range {
	if s.Mode == Native && c.Op != During {
		return s.compareNative(c)
	}
	sub := s.subspace(i, prefix)
	if !sub.fits() {
		return s.rangeOf(None, "", "")
	}
	switch c.Op {
	case BeginsWith:
		return s.rangeOf(BeginsWith, c.Lo, "")
	case Ge:
		return sub.between(c.Lo, sub.high())
	case Le:
		return sub.between(sub.low(), sub.upTo(c.Lo))
	case Between:
		return sub.between(c.Lo, sub.upTo(c.Hi))
	case During:
		return sub.during(c)
	case Gt:
		high := sub.high()
		if lo, ok := sub.after(c.Lo); ok && (high == "" || lo < high) {
			return sub.between(lo, high)
		}
	case Lt:
		if c.Lo[len(prefix):] != sub.segment.Least {
			return sub.between(sub.low(), sub.before(c.Lo, c.Before))
		}
	}
	return s.rangeOf(None, "", "")
}

// compareNative returns the range of a comparison with the whole attribute.
func (s *Space) compareNative(c Comparison) Range {
	g := &s.Segments[0]
	switch {
	case c.Op == Between:
		return s.rangeOf(Between, c.Lo, c.Hi)
	case c.Op == Lt && c.Lo == g.Least, c.Op == Gt && g.Greatest != "" && c.Lo == g.Greatest:
		return s.rangeOf(None, "", "")
	}
	return s.rangeOf(c.Op, c.Lo, "")
}

// during returns the range of a period without its end. The end is Hi, or Lo if keys are in
// descending order.
func (s *subspace) during(c Comparison) Range {
	if !s.segment.Descending {
		return s.between(c.Lo, s.before(c.Hi, c.Before))
	}
	first, _ := s.after(c.Lo) // Hi is above Lo, so there is one
	return s.between(first, s.upTo(c.Hi))
}

// between returns the range from lo to hi. An empty bound is open.
func (s *subspace) between(lo, hi string) Range {
	switch {
	case lo == "":
		return s.rangeOf(Le, hi, "")
	case hi == "":
		return s.rangeOf(Ge, lo, "")
	}
	return s.rangeOf(Between, lo, hi)
}

// upTo returns the inclusive upper bound of the keys with the value at the end of text.
func (s *subspace) upTo(text string) string {
	if bound := s.end(s.segment, text); len(bound) <= s.Limit {
		return bound
	}
	return text
}

// after returns the first text above every key with the value at the end of text.
func (s *subspace) after(text string) (string, bool) {
	if bound := s.end(s.segment, text); !s.segment.last && len(bound) <= s.Limit {
		return bound, true
	}
	return successor(text, s.Limit)
}

// before returns the last text below every key with the value at the end of text. The text
// previous ends with the value before; it may be empty.
func (s *subspace) before(text, previous string) string {
	switch {
	case !s.segment.last:
		return text
	case previous != "":
		return previous
	case s.Type == "B":
		return bytesPredecessor(text, s.Limit)
	}
	return predecessor(text, s.Limit)
}
