package trestle

import (
	"encoding/json"
	"fmt"
	"io"
	"log/slog" //nolint:depguard // nothing is logged here: a caller who logs an error must not log its keys

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// GuardError lists the problems of the unique values of a table. The methods CheckGuards and
// RepairGuards of a table return it.
//
// Its text is safe to log: it has the number of problems by type and unique value, but no key.
type GuardError struct {
	Table    string
	Problems []GuardProblem // at most 1,000
	// More is set if there may be more problems than are listed: CheckGuards ends after the last
	// one.
	More bool
}

// GuardProblem is a problem of a unique value. Its text contains no key.
type GuardProblem struct {
	Kind   GuardProblemKind
	Entity string // type name
	Unique string // the name of the unique value; empty if unknown, or if the type has it no more
	// The keys of the item, of the other item that has or had the value, and of the guard; nil if
	// there is none. They are never printed.
	Item, Other, Guard map[string]types.AttributeValue
	Err                error // why it was not repaired, or could not be checked; nil if there is no reason
}

// GuardProblemKind is the kind of a problem of a unique value.
type GuardProblemKind uint8

const (
	// GuardMissing means that the value of Item has no guard, so another item can take it.
	GuardMissing GuardProblemKind = iota + 1
	// GuardOfOther means that the guard of the value of Item names another item, which does not
	// have the value.
	GuardOfOther
	// GuardUnowned means that the item that the guard names does not exist, is of another type, or
	// does not have the value. No item can take the value.
	GuardUnowned
	// GuardExpiry means that the guard expires at another time than its item.
	GuardExpiry
	// ValueTwice means that Item and Other have the same value. A repair leaves both. Change one of
	// them.
	ValueTwice
	// GuardUnchecked means that Item cannot be decoded, or has a value that is too long for a
	// guard.
	GuardUnchecked
)

// String describes the problem.
func (k GuardProblemKind) String() string {
	switch k {
	case GuardMissing:
		return "an item has no guard for its value"
	case GuardOfOther:
		return "the guard of an item's value names another item"
	case GuardUnowned:
		return "no item has the value of a guard"
	case GuardExpiry:
		return "a guard expires at another time than its item"
	case ValueTwice:
		return "two items have the same value"
	case GuardUnchecked:
		return "an item cannot be decoded, or its value is too long for a guard"
	default:
		return "unknown problem"
	}
}

// GuardReport is the progress or the result of CheckGuards and RepairGuards.
type GuardReport struct {
	Items  int // the items with unique values that were checked
	Guards int // the guards that were checked

	Created   int // guards that were missing
	Corrected int // guards that named another item, or expired at another time than their item
	Deleted   int // guards whose value no item has
	Left      int // problems that were found, or that remain after a repair

	Capacity Capacity
}

// Error lists the number of problems by type, unique value and kind, one line each.
func (e GuardError) Error() string {
	return e.list().text("unique values", func(p GuardProblem) string { return p.place() + p.Kind.String() })
}

// Unwrap returns the errors of the problems.
func (e GuardError) Unwrap() []error {
	return e.list().errors(func(p GuardProblem) error { return p.Err })
}

func (e GuardError) list() problemList[GuardProblem] {
	return problemList[GuardProblem]{table: e.Table, problems: e.Problems, more: e.More}
}

// Format prints the text of Error for every verb, because %+v of the fields would print keys.
func (e GuardError) Format(s fmt.State, verb rune) { formatError(s, verb, e.Error()) }

// LogValue returns the table and the problems.
func (e GuardError) LogValue() slog.Value { return e.list().logValue() }

// MarshalJSON returns the table and the problems as JSON.
func (e GuardError) MarshalJSON() ([]byte, error) { return e.list().json() }

// place names the type and the unique value.
func (p GuardProblem) place() string { return problemPlace(p.Entity, p.Unique) }

// String describes the problem, without keys.
func (p GuardProblem) String() string { return problemText(p.place()+p.Kind.String(), p.Err) }

// Format prints the text of String for every verb, because %+v of the fields would print keys.
func (p GuardProblem) Format(s fmt.State, _ rune) { _, _ = io.WriteString(s, p.String()) }

// LogValue returns the text of String.
func (p GuardProblem) LogValue() slog.Value { return slog.StringValue(p.String()) }

// MarshalJSON returns the text of String as JSON.
func (p GuardProblem) MarshalJSON() ([]byte, error) { return json.Marshal(p.String()) }
