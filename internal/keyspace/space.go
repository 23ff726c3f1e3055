// Package keyspace computes with sets of keys: the range of keys that a comparison selects, and
// whether the keys of two types overlap. It knows keys as text. Package keys converts values to
// text.
package keyspace

import (
	"strings"
	"sync"
)

// Mode is how the values of a template are written.
type Mode uint8

// The modes.
const (
	Escaped Mode = iota
	Raw          // unescaped; only the last value can contain the delimiter
	Native       // the attribute is the value of the only placeholder
)

// Space is the set of keys of a template.
type Space struct {
	Type      string // type of the key attribute: S, N or B
	Mode      Mode
	Delimiter byte
	Limit     int      // maximum size of a key in bytes
	Literals  []string // texts before, between and after the segments
	Segments  []Segment

	minSizes  []int       // minimum size of a key's text from the segment of that index on
	upper     string      // upper bound of all keys; empty if there is none
	automaton func() *nfa // of all keys, compiled on first use
}

// Segment describes the text that one placeholder writes.
type Segment struct {
	MinSize int    // minimum size in bytes
	Least   string // least text, as written; empty if not known
	// Greatest is the greatest text, as written. It is empty unless all texts have the same size
	// and a least and a greatest one.
	Greatest   string
	Descending bool // texts sort in the opposite order of the values
	// Pattern returns a regular expression for the texts.
	Pattern func(Encoding) string

	last  bool   // nothing follows
	upper string // upper bound of Greatest with the text that follows; empty if Greatest is
}

// Init completes a space after its exported fields are set.
func (s *Space) Init() {
	s.minSizes = make([]int, len(s.Segments)+1)
	for i := len(s.Segments) - 1; i >= 0; i-- {
		g := &s.Segments[i]
		g.last = i == len(s.Segments)-1 && s.Literals[i+1] == ""
		if g.Greatest != "" {
			g.upper = s.end(g, g.Greatest)
		}
		s.minSizes[i] = g.MinSize + len(s.Literals[i+1]) + s.minSizes[i+1]
	}
	if len(s.Segments) > 0 {
		first := s.subspace(0, s.Literals[0])
		s.upper = first.computeHigh()
	}
	s.automaton = sync.OnceValue(s.compile)
}

// MinSize returns the size of the shortest keys.
func (s *Space) MinSize() int { return len(s.Literals[0]) + s.minSizes[0] }

// IsLast reports whether segment i ends the key.
func (s *Space) IsLast(i int) bool { return s.Segments[i].last }

// Defined reports whether s is the space of a template. A template always has a literal.
func (s *Space) Defined() bool { return s != nil && len(s.Literals) > 0 }

// CompareKeys compares two keys as the key attribute sorts them.
func (s *Space) CompareKeys(a, b string) int { return s.rangeOf(None, "", "").compare(a, b) }

func (s *Space) rangeOf(op Op, lo, hi string) Range {
	return Range{Op: op, Number: s.Type == "N", Lo: lo, Hi: hi}
}

// encoding returns how segment i is written.
func (s *Space) encoding(i int) Encoding {
	e := Encoding{Escaped: s.Mode == Escaped}
	if s.Mode == Raw && !s.Segments[i].last {
		e.Excluded = string(s.Delimiter)
	}
	return e
}

// compile returns the automaton of the keys.
func (s *Space) compile() *nfa {
	var pattern strings.Builder
	pattern.WriteString(Quote(s.Literals[0]))
	for i := range s.Segments {
		pattern.WriteString("(?:" + s.Segments[i].Pattern(s.encoding(i)) + ")")
		pattern.WriteString(Quote(s.Literals[i+1]))
	}
	p, err := compilePattern(pattern.String())
	if err != nil {
		// Only an expression that is too large fails. Assume that the template can write any key.
		p, _ = compilePattern(".+")
	}
	return p
}

// example returns a shortest key.
func (s *Space) example() string {
	key, _ := sharedText(s.automaton(), anyText)
	return key
}

// widest returns the range that contains every range of the space. Its operator is All, Eq, Between
// or None.
func (s *Space) widest() Range {
	r := s.Range(0, s.Literals[0])
	if r.Op == BeginsWith {
		return s.rangeOf(Between, r.Lo, s.upper)
	}
	return r
}
