package keys

import "strings"

// Pair is the templates of one entity on a table or an index.
type Pair struct {
	Partition *Template
	Sort      *Template // nil where there is no sort key
}

func (p Pair) compiled() bool { return p.Partition.compiled() && (p.Sort == nil || p.Sort.compiled()) }

// Reason says how two pairs clash.
type Reason uint8

// The ways to clash.
const (
	SameKey Reason = iota + 1 // both can render the same key
	InRange                   // a key of one lies among what a query of the other reads
)

// Clash shows two pairs that clash by keys made up from their templates.
type Clash struct {
	Reason       Reason
	PartitionKey string // that both render
	KeyA, KeyB   string // sort keys, equal for SameKey; empty where there are none
	// Query is, of InRange, what the widest query of one reads: the other's key is in it.
	Query Range
	// InnerA says, of InRange, that KeyA is the key and Query is of b; else KeyB and a.
	InnerA bool
}

// Overlap reports whether entities with these pairs can get in each other's way on one table or index: their partition keys
// can be equal, and their sort keys can be equal, or one's can lie where queries of the other read. Each half is judged
// for itself, even where both hold the same field. Templates for attributes of different types do not clash: they cannot
// be of one index, and a pair without a partition template clashes with none.
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

// sameKey finds a key that both templates can render.
func sameKey(a, b *Template) (string, bool) {
	if a.attr != b.attr {
		return "", false
	}
	return shared(a.language(), b.language())
}

// reaches finds a key of other that lies among what queries of t read.
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

// widest is the range that every query of the template stays in: Everything, Exact or Within.
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

// example is a shortest key of the template.
func (t *Template) example() string {
	key, _ := shared(t.language(), &interval{open: true})
	return key
}

// writeLanguage makes the automaton of the template's keys.
func (t *Template) writeLanguage() *program {
	var pattern strings.Builder
	pattern.WriteString(syntaxQuote(t.literals[0]))
	for i := range t.parts {
		pattern.WriteString("(?:" + t.parts[i].codec.language(t.script(i)) + ")")
		pattern.WriteString(syntaxQuote(t.literals[i+1]))
	}
	p, err := compileLanguage(pattern.String())
	if err != nil {
		// Only an expression that is too large is refused: take the template for one that can write anything.
		p, _ = compileLanguage(".+")
	}
	return p
}
