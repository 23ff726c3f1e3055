package differential

import (
	"context"
	"slices"
)

// shrinkingRuns is the largest number of runs for shrinking a history.
const shrinkingRuns = 400

// shrinking reduces a failure as long as the difference remains the same.
type shrinking struct {
	pair
	best *failure
	runs int
}

// shrink searches for a short history with the same difference: fewer steps, then fewer tables and
// indexes, then simpler steps.
func (p pair) shrink(ctx context.Context, f *failure) *failure {
	s := &shrinking{pair: p, best: f}
	s.fewerSteps(ctx)
	s.fewerIndexes(ctx)
	s.simplerSteps(ctx)
	s.fewerSteps(ctx)
	return s.best
}

// try runs a history, and keeps it if it has the same difference.
func (s *shrinking) try(ctx context.Context, h history) bool {
	if s.runs++; s.runs > shrinkingRuns || ctx.Err() != nil {
		return false
	}
	got, err := s.run(ctx, h)
	if err != nil || got.failure == nil || got.failure.differences[0].what != s.best.differences[0].what {
		return false
	}
	s.best = got.failure
	return true
}

// fewerSteps removes the steps after the difference, then smaller and smaller ranges of those
// before it.
func (s *shrinking) fewerSteps(ctx context.Context) {
	s.cutAfter()
	for size := len(s.best.history.steps) / 2; size > 0; size /= 2 {
		for from := len(s.best.history.steps) - size; from >= 0; from -= size {
			h := s.best.history
			to := min(from+size, len(h.steps))
			if from >= to {
				continue
			}
			h.steps = slices.Concat(h.steps[:from], h.steps[to:])
			if s.try(ctx, h) {
				s.cutAfter()
			}
		}
	}
}

func (s *shrinking) cutAfter() {
	h := &s.best.history
	h.steps = h.steps[:min(s.best.step+1, len(h.steps))]
}

// fewerIndexes removes tables, indexes and streams.
func (s *shrinking) fewerIndexes(ctx context.Context) {
	for i := len(s.best.history.tables) - 1; i >= 0; i-- {
		s.try(ctx, s.withTable(i, nil))
	}
	for i := range s.best.history.tables {
		for x := len(s.best.history.tables[i].indexes) - 1; x >= 0; x-- {
			t := *s.best.history.tables[i]
			t.indexes = slices.Delete(slices.Clone(t.indexes), x, x+1)
			s.try(ctx, s.withTable(i, &t))
		}
		t := *s.best.history.tables[i]
		t.stream = ""
		s.try(ctx, s.withTable(i, &t))
	}
}

// withTable returns the best history with the i-th table replaced, or removed if t is nil.
func (s *shrinking) withTable(i int, t *table) history {
	h := s.best.history
	h.tables = slices.Clone(h.tables)
	if t == nil {
		h.tables = slices.Delete(h.tables, i, i+1)
	} else {
		h.tables[i] = t
	}
	return h
}

// simplerSteps removes parts of each request.
func (s *shrinking) simplerSteps(ctx context.Context) {
	for i := 0; i < len(s.best.history.steps); i++ {
		for again := true; again; {
			again = false
			for _, op := range simpler(s.best.history.steps[i]) {
				h := s.best.history
				h.steps = slices.Clone(h.steps)
				h.steps[i] = op
				if s.try(ctx, h) && i < len(s.best.history.steps) {
					again = true
					break
				}
			}
			if i >= len(s.best.history.steps) {
				return
			}
		}
	}
}
