package keyspace

import "unicode/utf8"

// interval is the automaton of the texts from lo to hi, both included. A state holds how many runes
// of each bound the text matches so far; differs means that the text differs from the bound.
type interval struct{ lo, hi []rune }

// anyText is the interval of all texts. Its upper bound is above every rune.
var anyText = &interval{hi: []rune{utf8.MaxRune + 1}}

const differs = -1

func (v *interval) state(low, high int) int { return (low+1)*(len(v.hi)+2) + high + 1 }

func (v *interval) matched(state int) (low, high int) {
	return state/(len(v.hi)+2) - 1, state%(len(v.hi)+2) - 1
}

func (v *interval) start() int { return v.state(0, 0) }

func (v *interval) accepts(state int) bool {
	low, _ := v.matched(state)
	return low == differs || low == len(v.lo)
}

func (v *interval) edges(state int) []edge {
	low, high := v.matched(state)
	if high == len(v.hi) && high != differs {
		return nil // every longer text is above hi
	}
	from, to := rune(0), rune(utf8.MaxRune)
	if low == len(v.lo) {
		low = differs // every longer text is above lo
	}
	if low != differs {
		from = v.lo[low]
	}
	if high != differs {
		to = v.hi[high]
	}
	if from > to {
		return nil
	}
	var edges []edge
	add := func(first, last rune, low, high int) {
		if first <= last {
			edges = append(edges, edge{[]rune{first, last}, v.state(low, high)})
		}
	}
	onLow, onHigh := low != differs, high != differs
	switch {
	case onLow && onHigh && from == to:
		add(from, to, low+1, high+1)
		return edges
	case onLow:
		add(from, from, low+1, differs)
		from++
	}
	if onHigh {
		add(to, to, differs, high+1)
		to--
	}
	add(from, to, differs, differs)
	return edges
}
