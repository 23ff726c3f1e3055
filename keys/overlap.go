package keys

import "strings"

// Pair holds the templates of one entity on a table or an index.
type Pair struct {
	Partition *Template
	Sort      *Template // nil if there is no sort key
}

func (p Pair) compiled() bool { return p.Partition.compiled() && (p.Sort == nil || p.Sort.compiled()) }

// Reason is the way in which two pairs clash.
type Reason uint8

// The reasons of a clash.
const (
	SameKey Reason = iota + 1 // both can render the same key
	InRange                   // a query of one can read a key of the other
)

// Clash describes two pairs that clash, with example keys of their templates.
type Clash struct {
	Reason       Reason
	PartitionKey string // example key of both
	KeyA, KeyB   string // example sort keys, equal for SameKey; empty without sort keys
	// Query is, for InRange, the widest query of one pair. It reads the other pair's example key.
	Query Range
	// InnerA means, for InRange, that KeyA is in the range of b's Query. Otherwise KeyB is in the
	// range of a's Query.
	InnerA bool
}

// Overlap reports whether the keys of two entities can clash on one table or index. They clash if
// their partition keys can be equal and either their sort keys can be equal or a query of one can
// read a sort key of the other. Partition keys and sort keys are compared separately, even if both
// contain the same field.
//
// Templates for attributes of different types do not clash, because one index cannot have both. A
// pair without a partition template never clashes.
func Overlap(a, b Pair) (Clash, bool) {
	if !a.compiled() || !b.compiled() {
		return Clash{}, false
	}
	partition, ok := sameKey(a.Partition, b.Partition)
	if !ok {
		return Clash{}, false
	}
	c := Clash{Reason: SameKey, PartitionKey: partition}
	if a.Sort == nil || b.Sort == nil {
		return c, true
	}
	if a.Sort.attr != b.Sort.attr {
		return Clash{}, false
	}
	if key, ok := sameKey(a.Sort, b.Sort); ok {
		c.KeyA, c.KeyB = key, key
		return c, true
	}
	c.Reason = InRange
	if key, ok := reaches(b.Sort, a.Sort); ok {
		c.KeyA, c.KeyB, c.InnerA, c.Query = key, b.Sort.example(), true, b.Sort.widest()
		return c, true
	}
	if key, ok := reaches(a.Sort, b.Sort); ok {
		c.KeyB, c.KeyA, c.Query = key, a.Sort.example(), a.Sort.widest()
		return c, true
	}
	return Clash{}, false
}

// sameKey returns a key that both templates can render.
func sameKey(a, b *Template) (string, bool) {
	if a.attr != b.attr {
		return "", false
	}
	return shared(a.language(), b.language())
}

// reaches returns a key of other that a query of t can read.
func reaches(t, other *Template) (string, bool) {
	r := t.widest()
	v := &interval{lo: []rune(r.Lo), hi: []rune(r.Hi)}
	switch r.Shape {
	case Everything:
		v.open = true
	case Exact:
		v.hi = v.lo
	case Empty:
		return "", false
	}
	return shared(other.language(), v)
}

// widest returns the range that contains every query of the template. Its shape is Everything,
// Exact, Within or Empty.
func (t *Template) widest() Range {
	switch {
	case len(t.parts) == 0:
		return t.rangeOf(Exact, t.literals[0], "")
	case t.mode == native:
		return t.rangeOf(Everything, "", "")
	}
	s := t.span(0, t.literals[0])
	switch {
	case !s.fits():
		return t.rangeOf(Empty, "", "")
	case s.high() == "":
		return t.rangeOf(Everything, "", "")
	}
	return t.rangeOf(Within, s.low(), s.high())
}

// example returns a shortest key of the template.
func (t *Template) example() string {
	key, _ := shared(t.language(), &interval{open: true})
	return key
}

// writeLanguage returns the automaton of the template's keys.
func (t *Template) writeLanguage() *program {
	var pattern strings.Builder
	pattern.WriteString(syntaxQuote(t.literals[0]))
	for i := range t.parts {
		pattern.WriteString("(?:" + t.parts[i].codec.language(t.script(i)) + ")")
		pattern.WriteString(syntaxQuote(t.literals[i+1]))
	}
	p, err := compileLanguage(pattern.String())
	if err != nil {
		// Only an expression that is too large fails. Assume that the template can write any key.
		p, _ = compileLanguage(".+")
	}
	return p
}
