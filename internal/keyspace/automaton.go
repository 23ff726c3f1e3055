package keyspace

import (
	"math"
	"regexp/syntax"
	"slices"
	"unicode"
	"unicode/utf8"
)

const patternFlags = syntax.Perl&^syntax.OneLine | syntax.DotNL

// automaton is a finite automaton over runes.
type automaton interface {
	start() int
	accepts(state int) bool
	edges(state int) []edge
}

// edge is a transition on every rune of its ranges. The ranges are sorted pairs of first and last
// rune.
type edge struct {
	ranges []rune
	to     int
}

// sharedText returns a shortest text that both automata accept.
func sharedText(a, b automaton) (string, bool) {
	type pair struct{ a, b int }
	type step struct {
		from pair
		by   rune
	}
	first := pair{a.start(), b.start()}
	steps := map[pair]step{first: {}}
	for queue := []pair{first}; len(queue) > 0; queue = queue[1:] {
		at := queue[0]
		if a.accepts(at.a) && b.accepts(at.b) {
			var text []rune
			for ; at != first; at = steps[at].from {
				text = append(text, steps[at].by)
			}
			slices.Reverse(text)
			return string(text), true
		}
		edges := b.edges(at.b)
		for _, x := range a.edges(at.a) {
			for _, y := range edges {
				next := pair{x.to, y.to}
				if _, seen := steps[next]; seen {
					continue
				}
				if r, ok := sharedRune(x.ranges, y.ranges); ok {
					steps[next] = step{at, r}
					queue = append(queue, next)
				}
			}
		}
	}
	return "", false
}

// preferred are the runes for example keys, the best ones first. Other printable ASCII follows.
const preferred = "a1Ab20"

// sharedRune returns a rune that is in both lists of ranges, preferably a readable one. It never
// returns a surrogate.
func sharedRune(x, y []rune) (best rune, ok bool) {
	bestRank := math.MaxInt
	for len(x) > 0 && len(y) > 0 {
		lo, hi := max(x[0], y[0]), min(x[1], y[1])
		if lo <= hi {
			if r, rank := readable(lo, hi); rank < bestRank {
				best, ok, bestRank = r, true, rank
			}
		}
		if x[1] < y[1] {
			x = x[2:]
		} else {
			y = y[2:]
		}
	}
	return best, ok
}

// readable returns the most readable rune from lo to hi, and its rank: the lowest rank is the best.
// The rank is math.MaxInt if all runes are surrogates.
func readable(lo, hi rune) (r rune, rank int) {
	for i, r := range preferred {
		if lo <= r && r <= hi {
			return r, i
		}
	}
	if lo <= '~' && hi > ' ' {
		return max(lo, '!'), len(preferred)
	}
	if lo >= surrogateMin && lo <= surrogateMax {
		lo = surrogateMax + 1
	}
	if lo > hi {
		return 0, math.MaxInt
	}
	return lo, len(preferred) + 1
}

// nfa is the automaton of a regular expression. A state is the next instruction to run.
type nfa struct {
	first int
	next  [][]edge
	ends  []bool
}

// compilePattern returns the automaton of a regular expression.
func compilePattern(pattern string) (*nfa, error) {
	tree, err := syntax.Parse(pattern, patternFlags)
	if err != nil {
		return nil, err
	}
	code, err := syntax.Compile(tree.Simplify())
	if err != nil {
		return nil, err
	}
	p := &nfa{first: code.Start, next: make([][]edge, len(code.Inst)), ends: make([]bool, len(code.Inst))}
	p.addEdges(code, code.Start)
	for i := range code.Inst {
		switch code.Inst[i].Op {
		case syntax.InstRune, syntax.InstRune1, syntax.InstRuneAny, syntax.InstRuneAnyNotNL:
			p.addEdges(code, int(code.Inst[i].Out))
		}
	}
	return p, nil
}

func (p *nfa) start() int { return p.first }

func (p *nfa) accepts(state int) bool { return p.ends[state] }

func (p *nfa) edges(state int) []edge { return p.next[state] }

// addEdges computes the edges of a state by running the instructions that consume no rune.
func (p *nfa) addEdges(code *syntax.Prog, state int) {
	if p.next[state] != nil || p.ends[state] {
		return
	}
	seen := map[int]bool{}
	for stack := []int{state}; len(stack) > 0; {
		at := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if seen[at] {
			continue
		}
		seen[at] = true
		switch inst := &code.Inst[at]; inst.Op {
		case syntax.InstAlt, syntax.InstAltMatch:
			stack = append(stack, int(inst.Arg), int(inst.Out))
		case syntax.InstCapture, syntax.InstNop, syntax.InstEmptyWidth:
			stack = append(stack, int(inst.Out))
		case syntax.InstMatch:
			p.ends[state] = true
		case syntax.InstRuneAny, syntax.InstRuneAnyNotNL:
			p.next[state] = append(p.next[state], edge{[]rune{0, utf8.MaxRune}, int(inst.Out)})
		case syntax.InstRune, syntax.InstRune1:
			p.next[state] = append(p.next[state], edge{ranges(inst), int(inst.Out)})
		}
	}
}

// ranges returns the runes of an instruction as ranges. A single rune means itself, or both of its
// cases if FoldCase is set: the parser rewrites a class of these two runes in that way.
func ranges(inst *syntax.Inst) []rune {
	if len(inst.Rune) != 1 {
		return inst.Rune
	}
	r := inst.Rune[0]
	if syntax.Flags(inst.Arg)&syntax.FoldCase == 0 {
		return []rune{r, r}
	}
	other := unicode.SimpleFold(r)
	return []rune{min(r, other), min(r, other), max(r, other), max(r, other)}
}
