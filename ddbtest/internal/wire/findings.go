package wire

import (
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/trestledb/trestle/ddbtest/internal/awserr"
)

// findings is what was found wrong with a request that has the right shape.
type findings struct {
	path        []step // to where the reader is
	missing     error  // a parameter that the service misses before anything else
	violations  []violation
	faults      int   // how many attribute values cannot be
	fault       error // about the first of them
	faultAt     []int
	placeholder string // whose value is being read
}

// step leads to a part of a request: to a member, to an entry of a map by its key, or else to an element of a list.
type step struct {
	place  int // among its neighbors
	member *field
	entry  bool
	key    string
}

func (f *findings) enter(s step) { f.path = append(f.path, s) }
func (f *findings) leave()       { f.path = f.path[:len(f.path)-1] }

// where is the place in the request that the reader is at, comparable with [slices.Compare].
func (f *findings) where() []int {
	at := make([]int, len(f.path))
	for i, s := range f.path {
		at[i] = s.place
	}
	return at
}

// violation is a member that breaks a constraint.
type violation struct {
	at   []int
	text string
}

// maxViolations is how many violations the service reports of one request.
const maxViolations = 10

// violate notes that what the reader is at breaks a constraint. v is what stands there, if anything.
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

// describe is what the service says of a violation.
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

// spell is the path to where the reader is as messages spell it, and tells whether its last member wants the terse form.
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

// invalid notes that the attribute value that the reader is at cannot be.
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

// refusal is the service's answer to what was found, or nil.
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
