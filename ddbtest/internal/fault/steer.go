package fault

import (
	"fmt"
	"math"

	"github.com/trestledb/trestle/ddbtest/internal/engine"
)

// All is the argument of [LeaveUndone] for all parts.
const All = math.MaxInt

// LeaveUndone leaves the first n of the matching parts of a batch unprocessed, or all if there are
// fewer.
func LeaveUndone(n int) Effect {
	e := Effect{name: fmt.Sprintf("Unprocessed(%d)", n), on: batches, apply: func(p *Plan, m *meeting) {
		undone := map[int]bool{}
		for _, i := range m.targets[:min(n, len(m.targets))] {
			undone[i] = true
		}
		leave(p, undone)
	}}
	if n == All {
		e.name = "Unprocessed(All)"
	}
	if n <= 0 {
		e.setup = fmt.Errorf("a batch cannot leave %d parts undone", n)
	}
	return e
}

// LeaveSomeUndone leaves each matching part of a batch unprocessed with this probability.
func LeaveSomeUndone(probability float64) Effect {
	e := Effect{name: fmt.Sprintf("UnprocessedRate(%g)", probability), on: batches, apply: func(p *Plan, m *meeting) {
		undone := map[int]bool{}
		for _, i := range m.targets {
			if m.chance() < probability {
				undone[i] = true
			}
		}
		leave(p, undone)
	}}
	if !isProbability(probability) {
		e.setup = fmt.Errorf("a share of the parts is from 0 to 1, not %g", probability)
	}
	return e
}

// leave adds parts that a plan leaves unprocessed.
func leave(p *Plan, undone map[int]bool) {
	p.asked |= engine.LeftUndone
	before := p.Steer.Unprocessed
	p.Steer.Unprocessed = func(i int) bool { return undone[i] || before != nil && before(i) }
}

// Empty makes a page empty, with a LastEvaluatedKey from which all its items follow.
func Empty() Effect {
	return Effect{name: "EmptyPage", on: page, apply: func(p *Plan, _ *meeting) {
		p.Steer.EmptyPage = true
		p.asked |= engine.Emptied
	}}
}

// Cut ends a page after n items, counted before filters, with a LastEvaluatedKey from which the
// rest follows.
func Cut(n int) Effect {
	e := Effect{name: fmt.Sprintf("CutPage(%d)", n), on: page, apply: func(p *Plan, _ *meeting) {
		p.asked |= engine.Cut
		if p.Steer.Evaluate == 0 || n < p.Steer.Evaluate {
			p.Steer.Evaluate = n
		}
	}}
	if n <= 0 {
		e.setup = fmt.Errorf("a page cannot be cut after %d items", n)
	}
	return e
}

func isProbability(p float64) bool { return p >= 0 && p <= 1 }
