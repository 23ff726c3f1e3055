package fault

import (
	"fmt"
	"math"

	"github.com/trestledb/trestle/ddbtest/internal/engine"
)

// All is the argument of [Unprocessed] for all parts.
const All = math.MaxInt

// Unprocessed leaves the first n of the matching parts of a batch unprocessed, or all if there are
// fewer.
func Unprocessed(n int) Effect {
	e := Effect{name: fmt.Sprintf("Unprocessed(%d)", n), operations: batches, apply: func(p *Plan, m *match) {
		undone := map[int]bool{}
		for _, i := range m.targets[:min(n, len(m.targets))] {
			undone[i] = true
		}
		leaveUnprocessed(p, undone)
	}}
	if n == All {
		e.name = "Unprocessed(All)"
	}
	if n <= 0 {
		e.err = fmt.Errorf("a batch cannot leave %d parts undone", n)
	}
	return e
}

// UnprocessedRate leaves each matching part of a batch unprocessed with this probability.
func UnprocessedRate(probability float64) Effect {
	e := Effect{name: fmt.Sprintf("UnprocessedRate(%g)", probability), operations: batches, apply: func(p *Plan, m *match) {
		undone := map[int]bool{}
		for _, i := range m.targets {
			if m.chance() < probability {
				undone[i] = true
			}
		}
		leaveUnprocessed(p, undone)
	}}
	if !isProbability(probability) {
		e.err = fmt.Errorf("a share of the parts is from 0 to 1, not %g", probability)
	}
	return e
}

// leaveUnprocessed adds parts that a plan leaves unprocessed.
func leaveUnprocessed(p *Plan, undone map[int]bool) {
	p.overrides |= engine.OverrideUnprocessed
	before := p.Overrides.Unprocessed
	p.Overrides.Unprocessed = func(i int) bool { return undone[i] || before != nil && before(i) }
}

// EmptyPage makes a page empty, with a LastEvaluatedKey from which all its items follow.
func EmptyPage() Effect {
	return Effect{name: "EmptyPage", operations: page, apply: func(p *Plan, _ *match) {
		p.Overrides.EmptyPage = true
		p.overrides |= engine.OverrideEmptyPage
	}}
}

// CutPage ends a page after n items, counted before filters, with a LastEvaluatedKey from which the
// rest follows.
func CutPage(n int) Effect {
	e := Effect{name: fmt.Sprintf("CutPage(%d)", n), operations: page, apply: func(p *Plan, _ *match) {
		p.overrides |= engine.OverrideEvaluate
		if p.Overrides.Evaluate == 0 || n < p.Overrides.Evaluate {
			p.Overrides.Evaluate = n
		}
	}}
	if n <= 0 {
		e.err = fmt.Errorf("a page cannot be cut after %d items", n)
	}
	return e
}

func isProbability(p float64) bool { return p >= 0 && p <= 1 }
