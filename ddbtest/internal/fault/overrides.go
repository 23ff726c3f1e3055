package fault

import (
	"fmt"
	"slices"

	"github.com/trestledb/trestle/ddbtest/internal/engine"
)

// Unprocessed leaves the first n of the matching parts of a batch unprocessed, or all if there are
// fewer.
func Unprocessed(n int) Effect {
	e := Effect{name: fmt.Sprintf("Unprocessed(%d)", n), operations: batches, apply: func(p *Plan, m *match) {
		leaveUnprocessed(p, m.targets[:min(n, len(m.targets))])
	}}
	if n <= 0 {
		e.err = fmt.Errorf("%s: the number of parts is not positive", e.name)
	}
	return e
}

// UnprocessedRate leaves each matching part of a batch unprocessed with this probability.
func UnprocessedRate(probability float64) Effect {
	e := Effect{name: fmt.Sprintf("UnprocessedRate(%g)", probability), operations: batches, apply: func(p *Plan, m *match) {
		var parts []int
		for _, i := range m.targets {
			if m.random() < probability {
				parts = append(parts, i)
			}
		}
		leaveUnprocessed(p, parts)
	}}
	if !(probability >= 0 && probability <= 1) { // NaN fails the comparison
		e.err = fmt.Errorf("%s: the probability is not from 0 to 1", e.name)
	}
	return e
}

// leaveUnprocessed adds parts that a plan leaves unprocessed.
func leaveUnprocessed(p *Plan, parts []int) {
	p.overrides |= engine.OverrideUnprocessed
	before := p.Overrides.Unprocessed
	p.Overrides.Unprocessed = func(i int) bool { return slices.Contains(parts, i) || before != nil && before(i) }
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
		e.err = fmt.Errorf("%s: the number of items is not positive", e.name)
	}
	return e
}
