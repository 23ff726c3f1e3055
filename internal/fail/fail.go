// Package fail holds the glossary of outcomes that every failure is one of, and the refusal: what is said before anything is sent.
package fail

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/keys"
)

// The glossary. Package entity says what each one means to a caller.
var (
	NotFound  = errors.New("the item does not exist")
	Exists    = errors.New("it exists already")
	Stale     = errors.New("the version is not the one that was read")
	Taken     = errors.New("a unique value is taken")
	Condition = errors.New("the condition does not hold")
	Unknown   = errors.New("whether the write was applied is unknown")
	Limit     = errors.New("a limit of the service would be exceeded")
	Invalid   = errors.New("the call is not valid")
	Cursor    = errors.New("the cursor is not one of this read")
	Budget    = errors.New("the read ended at its budget, and there is more")
	Several   = errors.New("there is more than one")
)

// Glossary lists the outcomes that a failure can be one of, at most one at a time.
func Glossary() []error {
	return []error{NotFound, Exists, Stale, Taken, Condition, Unknown, Limit, Invalid, Cursor, Budget, Several}
}

// KindOf is the one outcome of the glossary that an error is. An error that says nothing of it is an invalid call, unless it is a refusal
// without a kind or an ended context: these are none of them.
func KindOf(err error) error {
	for _, kind := range Glossary() {
		if errors.Is(err, kind) {
			return kind
		}
	}
	var r *Refusal
	switch {
	case errors.As(err, &r):
		return r.Kind
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return nil
	default:
		return Invalid
	}
}

// Refusal is an operation that is refused before anything is sent, with everything that is wrong about it.
type Refusal struct {
	Kind     error // Invalid or Limit; nil: a report that is none of the glossary
	Problems []Problem
}

// Problem is one thing that is wrong, and its likely cure. Neither text holds a value.
type Problem struct {
	Field  string // the attribute or template it is about; may be empty
	Reason string
	Hint   string
	Limit  bool  // it is a limit of the service
	Cause  error // reachable by errors.Is and errors.As, never printed
}

// String returns the problem in one line.
func (p Problem) String() string {
	s := p.Reason
	if p.Field != "" {
		s = p.Field + ": " + s
	}
	if p.Hint != "" {
		s += " (" + p.Hint + ")"
	}
	return s
}

// listed is how many problems a text names: a batch of a thousand can have as many.
const listed = 20

// Error lists the problems: every one, unless there are very many.
func (r *Refusal) Error() string {
	var lines []string
	for _, p := range r.Problems[:min(listed, len(r.Problems))] {
		lines = append(lines, p.String())
	}
	if more := len(r.Problems) - listed; more > 0 {
		lines = append(lines, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(lines, "; ")
}

// Unwrap gives the kind and the causes.
func (r *Refusal) Unwrap() []error {
	var errs []error
	if r.Kind != nil {
		errs = append(errs, r.Kind)
	}
	for _, p := range r.Problems {
		if p.Cause != nil {
			errs = append(errs, p.Cause)
		}
	}
	return errs
}

// Refuse makes a refusal of a single problem.
func Refuse(field, reason, hint string) *Refusal {
	return &Refusal{Kind: Invalid, Problems: []Problem{{Field: field, Reason: reason, Hint: hint}}}
}

// Because makes a refusal from an error of a lower room, whose text is known to hold no value. A refusal stays what it is; nil stays nil.
func Because(field string, err error) error {
	if err == nil {
		return nil
	}
	return because(field, err)
}

func because(field string, err error) *Refusal {
	var r *Refusal
	if errors.As(err, &r) {
		for i := range r.Problems {
			if errors.Is(r.Kind, Limit) && !r.Problems[i].Limit {
				r = &Refusal{Kind: r.Kind, Problems: slices.Clone(r.Problems)}
				r.Problems[i].Limit = true
			}
		}
		return r
	}
	kind, limit := Invalid, isLimit(err)
	if limit {
		kind = Limit
	}
	return &Refusal{Kind: kind, Problems: []Problem{{Field: field, Reason: err.Error(), Limit: limit, Cause: err}}}
}

// isLimit reports whether an error of a lower room is about a limit of the service.
func isLimit(err error) bool {
	return errors.Is(err, keys.ErrTooLong) || errors.Is(err, codec.ErrNumber)
}

// Problems gathers what is wrong, each thing once, until it is all said at once.
type Problems []Problem

// Add notes a problem.
func (p *Problems) Add(field, reason, hint string) {
	p.add(Problem{Field: field, Reason: reason, Hint: hint})
}

// AddLimit notes that a limit of the service would be exceeded.
func (p *Problems) AddLimit(field, reason, hint string) {
	p.add(Problem{Field: field, Reason: reason, Hint: hint, Limit: true})
}

// Because notes an error of a lower room, taking a refusal apart; nil is none.
func (p *Problems) Because(field string, err error) {
	if err == nil {
		return
	}
	for _, problem := range because(field, err).Problems {
		p.add(problem)
	}
}

// At notes what is wrong with one of several things, in the words for each, with its place: "examples[3]".
func (p *Problems) At(place string, err error) {
	if err == nil {
		return
	}
	for _, problem := range because("", err).Problems {
		problem.Field = strings.TrimSuffix(place+"."+problem.Field, ".")
		p.add(problem)
	}
}

// compared is how many problems are looked through for one that is there already: of very many, such as a large batch's, not each is compared with all.
const compared = 100

func (p *Problems) add(problem Problem) {
	if !slices.ContainsFunc((*p)[:min(compared, len(*p))], func(have Problem) bool { return have.String() == problem.String() }) {
		*p = append(*p, problem)
	}
}

// Err returns the refusal, or nil where nothing is wrong. It is a limit where limits are all that is wrong.
func (p Problems) Err() error {
	if len(p) == 0 {
		return nil
	}
	for _, problem := range p {
		if !problem.Limit {
			return &Refusal{Kind: Invalid, Problems: p}
		}
	}
	return &Refusal{Kind: Limit, Problems: p}
}

// Misplaced reports something that was read and has no place in what it was to go into. It is no outcome of the glossary.
func Misplaced(field, reason, hint string) *Refusal {
	return &Refusal{Problems: []Problem{{Field: field, Reason: reason, Hint: hint}}}
}

// Unreadable reports something that came back and cannot be decoded. It is no outcome of the glossary.
func Unreadable(err error) *Refusal {
	return &Refusal{Problems: []Problem{{Reason: "what came back cannot be decoded: " + err.Error(), Cause: err}}}
}
