package trestle

import (
	"encoding/json"
	"fmt"
	"io"
	"log/slog" //nolint:depguard // nothing is logged here: a caller who logs an error must not log its keys

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// ReindexError lists the items that entity.Reindex could not change.
//
// Its text is safe to log: it has the number of problems by type and kind, but no key.
type ReindexError struct {
	Table    string
	Problems []ReindexProblem // at most 1,000
	More     bool             // there are more problems than are listed
	// Earlier is the number of problems of the earlier runs that this run continues by a token.
	// Only their errors list them.
	Earlier int
}

// ReindexProblem is an item that entity.Reindex could not change. Its text contains no key.
type ReindexProblem struct {
	Kind   ReindexProblemKind
	Entity string // type name
	Unique string // the name of the unique value of a ReindexValueTaken; otherwise empty
	// Item is the key under which the item is stored. Other is the key of the item that has the
	// value or the key; nil for another kind, and if only a dry run would give it to that item.
	// They are never printed.
	Item, Other map[string]types.AttributeValue
	Err         error // the reason; nil if Kind says it
}

// ReindexProblemKind is the reason why an item could not be changed.
type ReindexProblemKind uint8

const (
	// ReindexUndecodable means that the item cannot be decoded, for example because a field that
	// only keys hold cannot be parsed from the key of an older template.
	ReindexUndecodable ReindexProblemKind = iota + 1
	// ReindexNoKey means that the item lacks a part of its key, or that a key or the item would be
	// too large.
	ReindexNoKey
	// ReindexKeyTaken means that another item, which has not expired, has the key that the item
	// should have. Both remain.
	ReindexKeyTaken
	// ReindexValueTaken means that another item has the unique value of the item, or its guard. The
	// index keys of the item were changed. CheckGuards of the table tells a guard without an item
	// from two items with the same value. RepairGuards corrects the guard.
	ReindexValueTaken
	// ReindexChanging means that other writers changed the item during each of eight attempts.
	// Start Reindex again.
	ReindexChanging
)

// String describes the problem.
func (k ReindexProblemKind) String() string {
	switch k {
	case ReindexUndecodable:
		return "an item cannot be decoded"
	case ReindexNoKey:
		return "the keys of an item cannot be rendered"
	case ReindexKeyTaken:
		return "another item has the key of an item (delete the one that is not needed, and start again)"
	case ReindexValueTaken:
		return "another item has the unique value of an item (change one of them; if the other does not have the value any more, RepairGuards corrects the guard)"
	case ReindexChanging:
		return "an item changed during each attempt"
	default:
		return "unknown problem"
	}
}

// ReindexReport is the progress or the result of entity.Reindex. A write without a reply counts if
// the item is as it should be when it is read again.
type ReindexReport struct {
	Items   int // the items of the type that were read; one that is moved may be read twice
	Updated int // items whose index keys or type attribute were changed
	Moved   int // items that were moved to another key
	Guards  int // guards of unique values that were claimed
	Left    int // problems so far, without those of the earlier runs that it continues
	// Token is where another run continues, or "" at the end of the table and for a table without
	// cursors. It contains a key: it is encrypted unless the table has plain cursors.
	Token string
	// Capacity includes an estimate for writes whose condition failed because of another writer,
	// and for writes without a reply: DynamoDB does not report what they consumed.
	Capacity Capacity
}

// Error lists the number of problems by type, unique value and kind, one line each.
func (e ReindexError) Error() string {
	return e.list().text("items", func(p ReindexProblem) string { return p.place() + p.Kind.String() })
}

// Unwrap returns the errors of the problems.
func (e ReindexError) Unwrap() []error {
	return e.list().errors(func(p ReindexProblem) error { return p.Err })
}

func (e ReindexError) list() problemList[ReindexProblem] {
	return problemList[ReindexProblem]{table: e.Table, problems: e.Problems, more: e.More, earlier: e.Earlier}
}

// Format prints the text of Error for every verb, because %+v of the fields would print keys.
func (e ReindexError) Format(s fmt.State, verb rune) { formatError(s, verb, e.Error()) }

// LogValue returns the table and the problems.
func (e ReindexError) LogValue() slog.Value { return e.list().logValue() }

// MarshalJSON returns the table and the problems as JSON.
func (e ReindexError) MarshalJSON() ([]byte, error) { return e.list().json() }

// place names the type and the unique value.
func (p ReindexProblem) place() string { return problemPlace(p.Entity, p.Unique) }

// String describes the problem, without keys.
func (p ReindexProblem) String() string { return problemText(p.place()+p.Kind.String(), p.Err) }

// Format prints the text of String for every verb, because %+v of the fields would print keys.
func (p ReindexProblem) Format(s fmt.State, _ rune) { _, _ = io.WriteString(s, p.String()) }

// LogValue returns the text of String.
func (p ReindexProblem) LogValue() slog.Value { return slog.StringValue(p.String()) }

// MarshalJSON returns the text of String as JSON.
func (p ReindexProblem) MarshalJSON() ([]byte, error) { return json.Marshal(p.String()) }
