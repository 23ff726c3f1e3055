package trestle

import (
	"encoding/json"
	"fmt"
	"io"
	"log/slog" //nolint:depguard // nothing is logged here: a caller who logs an error must not log its keys

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// CountError lists the problems of the counts of a table. The methods CheckCounts and RepairCounts
// of a table return it.
//
// Its text is safe to log: it has the number of problems by type and count, but no key.
type CountError struct {
	Table    string
	Problems []CountProblem // at most 1,000
	More     bool           // there are more problems than are listed
}

// CountProblem is a problem of a count. Its text contains no key and no count.
type CountProblem struct {
	Kind   CountProblemKind
	Entity string // the type name of Item
	Count  string // the attribute that holds the count; empty if Item is not a counting item
	// Item is the key of the counting item, or of the item that cannot be decoded. It is never
	// printed.
	Item   map[string]types.AttributeValue
	Stored int64 // the count; 0 if it is not a whole number
	Items  int64 // the number of items that were counted
	Err    error // why it was not repaired, or could not be checked; nil if there is no reason
}

// CountProblemKind is the kind of a problem of a count.
type CountProblemKind uint8

const (
	// CountWrong means that the count is not the number of the items.
	CountWrong CountProblemKind = iota + 1
	// CountChanging means that the count seemed wrong, but writers changed the counting item each
	// time the items were counted.
	CountChanging
	// CountUnchecked means that Item cannot be decoded, so the counts of its type are not checked.
	CountUnchecked
)

// String describes the problem.
func (k CountProblemKind) String() string {
	switch k {
	case CountWrong:
		return "a count is not the number of the items"
	case CountChanging:
		return "an item was written each time the items that it counts were read"
	case CountUnchecked:
		return "an item cannot be decoded, so the counts of its type are not checked"
	default:
		return "unknown problem"
	}
}

// CountReport is the progress or the result of RepairCounts.
type CountReport struct {
	Items     int // the counted items that were read
	Counting  int // the counting items that were checked
	Corrected int // the counting items whose counts were corrected
	Left      int // problems that remain

	Capacity Capacity
}

// Error lists the number of problems by type, count and kind, one line each.
func (e CountError) Error() string {
	return e.list().text("counts", func(p CountProblem) string { return p.place() + p.Kind.String() })
}

// Unwrap returns the errors of the problems.
func (e CountError) Unwrap() []error {
	return e.list().errors(func(p CountProblem) error { return p.Err })
}

func (e CountError) list() problemList[CountProblem] {
	return problemList[CountProblem]{table: e.Table, problems: e.Problems, more: e.More}
}

// Format prints the text of Error for every verb, because %+v of the fields would print keys.
func (e CountError) Format(s fmt.State, verb rune) { formatError(s, verb, e.Error()) }

// LogValue returns the table and the problems.
func (e CountError) LogValue() slog.Value { return e.list().logValue() }

// MarshalJSON returns the table and the problems as JSON.
func (e CountError) MarshalJSON() ([]byte, error) { return e.list().json() }

// place names the type and the count.
func (p CountProblem) place() string { return problemPlace(p.Entity, p.Count) }

// String describes the problem, without keys.
func (p CountProblem) String() string { return problemText(p.place()+p.Kind.String(), p.Err) }

// Format prints the text of String for every verb, because %+v of the fields would print keys.
func (p CountProblem) Format(s fmt.State, _ rune) { _, _ = io.WriteString(s, p.String()) }

// LogValue returns the text of String.
func (p CountProblem) LogValue() slog.Value { return slog.StringValue(p.String()) }

// MarshalJSON returns the text of String as JSON.
func (p CountProblem) MarshalJSON() ([]byte, error) { return json.Marshal(p.String()) }
