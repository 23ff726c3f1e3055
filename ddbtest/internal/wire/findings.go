package wire

import (
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/trestledb/trestle/ddbtest/internal/awserr"
)

// findings collects the errors of a request whose JSON has the right shape.
type findings struct {
	path        []step // to the current position
	missing     error  // a missing parameter, which is reported before anything else
	violations  []violation
	faults      int   // number of invalid attribute values
	fault       error // the first of them
	faultAt     []int
	placeholder string // whose value is being read
}

// step is a step to a part of a request: to a member, to a map entry by its key, or to a list
// element.
type step struct {
	place  int // index in its parent
	member *field
	entry  bool
	key    string
}

func (f *findings) enter(s step) { f.path = append(f.path, s) }
func (f *findings) leave()       { f.path = f.path[:len(f.path)-1] }

// where returns the current position in the request, comparable with [slices.Compare].
func (f *findings) where() []int {
	at := make([]int, len(f.path))
	for i, s := range f.path {
		at[i] = s.place
	}
	return at
}

// violation is a constraint that a member violates.
type violation struct {
	at   []int
	text string
}

// maxViolations is the largest number of violations in an error message.
const maxViolations = 10

// violate records that the current member violates a constraint. v is its value, if there is one.
func (f *findings) violate(v reflect.Value, constraint string) {
	at := f.where()
	i := len(f.violations)
	for i > 0 && slices.Compare(at, f.violations[i-1].at) < 0 {
		i--
	}
	if i == maxViolations {
		return
	}
	f.violations = slices.Insert(f.violations, i, violation{at, f.describe(v, constraint)})
	f.violations = f.violations[:min(len(f.violations), maxViolations)]
}

// describe formats a violation as the service does.
func (f *findings) describe(v reflect.Value, constraint string) string {
	path, terse := f.spell()
	what := "Value null"
	switch {
	case terse:
		what = "Value"
	case v.IsValid():
		what = "Value '" + echo(v) + "'"
	}
	return what + " at '" + path + "' failed to satisfy constraint: " + constraint
}

// spell formats the path to the current position as messages do. terse reports whether its last
// member has the terse form.
func (f *findings) spell() (path string, terse bool) {
	for _, s := range f.path {
		terse = s.member != nil && s.member.limits.terse
	}
	parts := make([]string, 0, 2*len(f.path))
	for _, s := range f.path {
		switch {
		case s.member != nil && terse:
			parts = append(parts, s.member.name)
		case s.member != nil:
			parts = append(parts, s.member.path)
		case s.entry:
			parts = append(parts, shorten(s.key), "member")
		default:
			parts = append(parts, strconv.Itoa(s.place+1), "member")
		}
	}
	return strings.Join(parts, "."), terse
}

// invalid records that the current attribute value is invalid.
func (f *findings) invalid(format string, args ...any) {
	f.faults++
	at := f.where()
	if f.fault != nil && slices.Compare(f.faultAt, at) <= 0 {
		return
	}
	err := awserr.Validation(format, args...)
	if f.placeholder != "" {
		err.Message = "ExpressionAttributeValues contains invalid value: " + err.Message + " for key " + shorten(f.placeholder)
	}
	f.fault, f.faultAt = err, at
}

// refusal returns the service's error for the findings, or nil.
func (f *findings) refusal() error {
	switch n := len(f.violations); {
	case f.missing != nil:
		return f.missing
	case n > 0:
		texts := make([]string, n)
		for i, v := range f.violations {
			texts[i] = v.text
		}
		errors := "errors"
		if n == 1 {
			errors = "error"
		}
		return awserr.Validation("%d validation %s detected: %s", n, errors, strings.Join(texts, "; "))
	}
	return f.fault
}
