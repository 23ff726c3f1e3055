package maintain

import (
	"encoding/json"
	"fmt"
	"io"
	"log/slog" //nolint:depguard // nothing is logged here: a caller who logs a problem must not log its keys

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// Problem is a problem of a table or of its items. Its text contains no key, no value and no count.
type Problem struct {
	Kind   Kind
	Entity string // the type name; empty for a problem of the table
	Name   string // the unique value or the count; may be empty
	Text   string // what differs, of TableDiffers, IndexMissing and ItemDiffers; otherwise empty

	// The keys of the item, of the other item that has or had the key or the value, and of the
	// guard; nil if there is none, or if only a dry run would give it to the other item. Item is
	// the key under which the item is stored. They are never printed.
	Item, Other, Guard map[string]types.AttributeValue
	Stored, Items      int64 // of CountWrong and Changing: the count, or 0 if it is not a whole number, and the number of the items

	// Input is the request that creates the index of an IndexMissing, for the SDK's client.
	// DynamoDB creates one index at a time: send the first request, and call Check until it reports
	// neither the index nor its status. A table with provisioned capacity needs the capacity of the
	// new index in addition.
	Input *dynamodb.UpdateTableInput

	Err error // why it was not repaired, or could not be checked; nil if Kind says it
}

// Kind is the kind of a [Problem].
type Kind uint8

const (
	// TableDiffers means that the table differs from the schema.
	TableDiffers Kind = iota + 1
	// IndexMissing means that the table lacks a global index.
	IndexMissing
	// ItemDiffers means that Put would store items in another form.
	ItemDiffers
	// GuardMissing means that the value of Item has no guard, so another item can take it.
	GuardMissing
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
	// CountWrong means that the count is not the number of the items.
	CountWrong
	// Undecodable means that Item cannot be decoded, for example because a field that only keys
	// hold cannot be parsed from the key of an older template. The counts of its type are not
	// checked.
	Undecodable
	// NoKey means that Item lacks a part of its key, or that a key, a guard or the item would be
	// too large.
	NoKey
	// KeyTaken means that Other, which has not expired, has the key that Item should have. Both
	// remain.
	KeyTaken
	// ValueTaken means that Other has the unique value of Item, or its guard. The index keys of
	// Item were changed. RepairGuards tells a guard without an item, which it corrects, from two
	// items with the same value.
	ValueTaken
	// TenantItems means that the table has items of the tenant: the number Items of the type
	// Entity, which is "" for items of no type, and starts with $U for items of the library.
	TenantItems
	// Changing means that other writers changed Item during each attempt. Start the run again.
	Changing
)

// String describes the problem.
func (k Kind) String() string {
	switch k {
	case TableDiffers:
		return "the table differs from the schema"
	case IndexMissing:
		return "the table lacks an index"
	case ItemDiffers:
		return "an item is stored in another form than Put stores it"
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
	case CountWrong:
		return "a count is not the number of the items"
	case Undecodable:
		return "an item cannot be decoded"
	case NoKey:
		return "the keys of an item cannot be rendered"
	case KeyTaken:
		return "another item has the key of an item (delete the one that is not needed, and start again)"
	case ValueTaken:
		return "another item has the unique value of an item (change one of them; if the other does not have the value any more, RepairGuards corrects the guard)"
	case TenantItems:
		return "the table has items of the tenant (call RemoveTenant again)"
	case Changing:
		return "an item changed during each attempt"
	default:
		return "unknown problem"
	}
}

// line describes the problem without its error.
func (p Problem) line() string {
	place, text := p.Entity, p.Text
	if p.Name != "" {
		place += " " + p.Name
	}
	if text == "" {
		text = p.Kind.String()
	}
	if place == "" {
		return text
	}
	return place + ": " + text
}

// String describes the problem, without keys.
func (p Problem) String() string {
	if p.Err != nil {
		return p.line() + ": " + p.Err.Error()
	}
	return p.line()
}

// Format prints the text of String for every verb, because %+v of the fields would print keys.
func (p Problem) Format(s fmt.State, _ rune) { _, _ = io.WriteString(s, p.String()) }

// LogValue returns the text of String.
func (p Problem) LogValue() slog.Value { return slog.StringValue(p.String()) }

// MarshalJSON returns the text of String as JSON.
func (p Problem) MarshalJSON() ([]byte, error) { return json.Marshal(p.String()) }
