package write

import (
	"errors"
	"slices"

	"github.com/trestledb/trestle/internal/fail"
	"github.com/trestledb/trestle/keys"
)

// problems gathers what is wrong with a call, to be said at once. A mistake counts before a limit of the service.
type problems struct {
	mistakes, limits fail.Problems
}

// add notes a mistake.
func (p *problems) add(field, reason, hint string) { p.mistakes.Add(field, reason, hint) }

// because notes an error of a lower room, or of this one; nil is none.
func (p *problems) because(field string, err error) {
	switch {
	case err == nil:
	case errors.Is(err, fail.Limit), errors.Is(err, keys.ErrTooLong):
		gather(&p.limits, field, err)
	default:
		gather(&p.mistakes, field, err)
	}
}

// gather adds what an error says, each thing once: a field is looked at for every key that it is part of.
func gather(list *fail.Problems, field string, err error) {
	var said fail.Problems
	said.Because(field, err)
	for _, s := range said {
		if !slices.ContainsFunc(*list, func(have fail.Problem) bool { return have.String() == s.String() }) {
			*list = append(*list, s)
		}
	}
}

// err is the refusal, or nil where nothing is wrong.
func (p *problems) err() error {
	if len(p.mistakes) == 0 && len(p.limits) > 0 {
		return &fail.Refusal{Kind: fail.Limit, Problems: p.limits}
	}
	return p.mistakes.Err()
}

// because is a refusal for a single error; nil stays nil.
func because(field string, err error) error {
	var p problems
	p.because(field, err)
	return p.err()
}
