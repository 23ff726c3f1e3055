package wire

import (
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/trestledb/trestle/ddbtest/internal/awserr"
)

// requestErrors collects the errors of a request whose JSON has the right shape.
type requestErrors struct {
	path         []step // to the current position
	missing      error  // a missing parameter, which is reported before anything else
	violations   []violation
	invalidCount int   // number of invalid attribute values
	invalid      error // the first of them
	invalidAt    []int
	placeholder  string // whose value is being read
}

// step is a step to a part of a request: to a member, to a map entry by its key, or to a list
// element.
type step struct {
	place  int // index in its parent
	member *field
	entry  bool
	key    string
}

func (f *requestErrors) enter(s step) { f.path = append(f.path, s) }
func (f *requestErrors) leave()       { f.path = f.path[:len(f.path)-1] }

// position returns the current position in the request, comparable with [slices.Compare].
func (f *requestErrors) position() []int {
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

// addViolation records that the current member violates a constraint. v is its value, if there is
// one.
func (f *requestErrors) addViolation(v reflect.Value, constraint string) {
	at := f.position()
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
func (f *requestErrors) describe(v reflect.Value, constraint string) string {
	path, terse := f.formatPath()
	what := "Value null"
	switch {
	case terse:
		what = "Value"
	case v.IsValid():
		what = "Value '" + formatValue(v) + "'"
	}
	return what + " at '" + path + "' failed to satisfy constraint: " + constraint
}

// formatPath formats the path to the current position as messages do. terse reports whether its
// last member has the terse form.
func (f *requestErrors) formatPath() (path string, terse bool) {
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

// addInvalid records that the current attribute value is invalid.
func (f *requestErrors) addInvalid(format string, args ...any) {
	f.invalidCount++
	at := f.position()
	if f.invalid != nil && slices.Compare(f.invalidAt, at) <= 0 {
		return
	}
	err := awserr.Validation(format, args...)
	if f.placeholder != "" {
		err.Message = "ExpressionAttributeValues contains invalid value: " + err.Message + " for key " + shorten(f.placeholder)
	}
	f.invalid, f.invalidAt = err, at
}

// err returns the service's error for the request, or nil.
func (f *requestErrors) err() error {
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
	return f.invalid
}
