// Package errs defines the sentinel errors of the library, and [ValidationError], the error of an
// operation that fails before a request is sent.
package errs

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/keys"
)

// The sentinel errors. The root package and the packages query and lock document them.
var (
	NotFound  = errors.New("the item does not exist")
	Exists    = errors.New("the item already exists")
	Stale     = errors.New("the stored version is not the one that was read")
	Taken     = errors.New("a unique value is already taken")
	Condition = errors.New("the condition does not hold")
	Unknown   = errors.New("whether the write was applied is unknown")
	Limit     = errors.New("a DynamoDB limit would be exceeded")
	Invalid   = errors.New("the call is invalid")
	Cursor    = errors.New("the cursor does not belong to this read")
	Budget    = errors.New("the read reached its budget before its end")
	Several   = errors.New("more than one item matches")
	Tenant    = errors.New("something belongs to another tenant")
	Held      = errors.New("another holder has the lock")
	Lost      = errors.New("the lease was lost")
)

// Kinds returns all sentinel errors. An error wraps at most one of them.
func Kinds() []error {
	return []error{NotFound, Exists, Stale, Taken, Condition, Unknown, Limit, Invalid, Cursor, Budget, Several, Tenant, Held, Lost}
}

// KindOf returns the sentinel error that err wraps. It returns nil for a ValidationError without a
// kind and for an ended context. It returns Invalid for any other error.
func KindOf(err error) error {
	for _, kind := range Kinds() {
		if errors.Is(err, kind) {
			return kind
		}
	}
	var r *ValidationError
	switch {
	case errors.As(err, &r):
		return r.Kind
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return nil
	default:
		return Invalid
	}
}

// Classify returns the sentinel error of an error, as KindOf does, and the error as the cause of an
// operation's error. It converts an error of a lower-level package to a ValidationError. The text
// of such an error must not contain a value.
func Classify(err error) (kind, cause error) {
	kind = KindOf(err)
	if v := (*ValidationError)(nil); errors.Is(kind, Invalid) && !errors.As(err, &v) {
		return kind, Wrap("", err)
	}
	return kind, err
}

// ValidationError is the error of an operation that fails before a request is sent. It holds every
// problem of the operation.
type ValidationError struct {
	Kind     error // Invalid, Limit or Tenant; nil for none of the sentinels
	Problems []Problem
}

// Problem is one problem of an operation and its likely fix. Its texts never contain a value.
type Problem struct {
	Field  string // attribute or template; may be empty
	Reason string
	Hint   string
	Limit  bool  // it is a DynamoDB limit
	Tenant bool  // it belongs to another tenant
	Cause  error // for errors.Is and errors.As; never printed
}

// String returns the problem on one line.
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

// maxListed is the maximum number of problems in an error text. A batch of a thousand items can
// have as many problems.
const maxListed = 20

// Error returns the problems, at most 20 of them, and the number of others.
func (r *ValidationError) Error() string {
	var lines []string
	for _, p := range r.Problems[:min(maxListed, len(r.Problems))] {
		lines = append(lines, p.String())
	}
	if more := len(r.Problems) - maxListed; more > 0 {
		lines = append(lines, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(lines, "; ")
}

// Unwrap returns the kind and the causes.
func (r *ValidationError) Unwrap() []error {
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

// New returns a ValidationError with a single problem.
func New(field, reason, hint string) *ValidationError {
	return &ValidationError{Kind: Invalid, Problems: []Problem{{Field: field, Reason: reason, Hint: hint}}}
}

// Wrap converts an error of a lower-level package to a ValidationError. The text of the error must
// not contain a value. A ValidationError keeps its kind and problems; nil stays nil.
func Wrap(field string, err error) error {
	if err == nil {
		return nil
	}
	return wrap(field, err)
}

func wrap(field string, err error) *ValidationError {
	var r *ValidationError
	if errors.As(err, &r) {
		limit, tenant := errors.Is(r.Kind, Limit), errors.Is(r.Kind, Tenant)
		for i := range r.Problems {
			if p := &r.Problems[i]; limit && !p.Limit || tenant && !p.Tenant {
				r = &ValidationError{Kind: r.Kind, Problems: slices.Clone(r.Problems)}
				r.Problems[i].Limit, r.Problems[i].Tenant = limit, tenant
			}
		}
		return r
	}
	kind, limit := Invalid, isLimit(err)
	if limit {
		kind = Limit
	}
	return &ValidationError{Kind: kind, Problems: []Problem{{Field: field, Reason: textOf(err), Limit: limit, Cause: err}}}
}

// textOf returns the text of an error of a lower-level package, without the name of package keys:
// the user did not call it.
func textOf(err error) string { return strings.TrimPrefix(err.Error(), "keys: ") }

// isLimit reports whether an error of a lower-level package is about a DynamoDB limit.
func isLimit(err error) bool {
	return errors.Is(err, keys.ErrTooLong) || errors.Is(err, codec.ErrNumber)
}

// Problems collects problems, each one once, to report them together.
type Problems []Problem

// Add adds a problem.
func (p *Problems) Add(field, reason, hint string) {
	p.add(Problem{Field: field, Reason: reason, Hint: hint})
}

// AddLimit adds the problem that a DynamoDB limit would be exceeded.
func (p *Problems) AddLimit(field, reason, hint string) {
	p.add(Problem{Field: field, Reason: reason, Hint: hint, Limit: true})
}

// AddErr adds an error of a lower-level package. It adds the problems of a ValidationError one by
// one. It adds nothing for nil.
func (p *Problems) AddErr(field string, err error) {
	if err == nil {
		return
	}
	for _, problem := range wrap(field, err).Problems {
		p.add(problem)
	}
}

// AddAt adds the problems of an error of one element. It prefixes their fields with the position of
// the element, such as "examples[3]".
func (p *Problems) AddAt(place string, err error) {
	if err == nil {
		return
	}
	for _, problem := range wrap("", err).Problems {
		problem.Field = strings.TrimSuffix(place+"."+problem.Field, ".")
		p.add(problem)
	}
}

// maxCompared is how many problems a new one is compared with to find a duplicate. A large batch
// can have too many to compare with all.
const maxCompared = 100

func (p *Problems) add(problem Problem) {
	if !slices.ContainsFunc((*p)[:min(maxCompared, len(*p))], func(have Problem) bool { return have.String() == problem.String() }) {
		*p = append(*p, problem)
	}
}

// Err returns a ValidationError with the problems, or nil if there are none. Its kind is Tenant if
// any problem is about another tenant, Limit if every problem is a limit, else Invalid.
func (p Problems) Err() error {
	if len(p) == 0 {
		return nil
	}
	if slices.ContainsFunc(p, func(problem Problem) bool { return problem.Tenant }) {
		return &ValidationError{Kind: Tenant, Problems: p}
	}
	for _, problem := range p {
		if !problem.Limit {
			return &ValidationError{Kind: Invalid, Problems: p}
		}
	}
	return &ValidationError{Kind: Limit, Problems: p}
}

// OtherTenant returns a ValidationError of the kind Tenant with a single problem.
func OtherTenant(field, reason, hint string) *ValidationError {
	return &ValidationError{Kind: Tenant, Problems: []Problem{{Field: field, Reason: reason, Hint: hint, Tenant: true}}}
}

// Unassignable returns a ValidationError for an item that was read and does not fit its
// destination. It wraps none of the sentinel errors.
func Unassignable(field, reason, hint string) *ValidationError {
	return &ValidationError{Problems: []Problem{{Field: field, Reason: reason, Hint: hint}}}
}

// Undecodable returns a ValidationError for a response that cannot be decoded. It wraps none of the
// sentinel errors.
func Undecodable(err error) *ValidationError {
	return &ValidationError{Problems: []Problem{{Reason: "the response cannot be decoded: " + textOf(err), Cause: err}}}
}
