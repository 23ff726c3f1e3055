package entity

import (
	"encoding/json"
	"log/slog" //nolint:depguard // nothing is logged here: a caller who logs an item must not log its values
	"strconv"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// Raw is an item of no registered type, as the SDK returns it. If formatted, logged or marshaled to
// JSON, it shows its type only, and no values.
//
// The type of an item is the one that its type attribute names. Without the attribute, it is the
// type whose templates the table's key matches, and there is none if several types share the key.
// All reads follow this rule: those of a type leave out items of other types and of none, and those
// of all types return them as Raw, if they have no registered type. Only a count that DynamoDB
// makes sees no items: [github.com/trestledb/trestle/query.Query.Count].
type Raw struct {
	Type string // value of the type attribute; may be empty
	Item map[string]types.AttributeValue
}

// String returns a text that names the type.
func (r Raw) String() string { return "raw item of type " + strconv.Quote(r.Type) }

// GoString returns a text that names the type.
func (r Raw) GoString() string { return r.String() }

// LogValue returns a text that names the type.
func (r Raw) LogValue() slog.Value { return slog.StringValue(r.String()) }

// MarshalJSON returns the type.
func (r Raw) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Type string `json:"type"`
	}{r.Type})
}
