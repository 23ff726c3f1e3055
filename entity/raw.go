package entity

import (
	"encoding/json"
	"log/slog" //nolint:depguard // nothing is logged here: a caller who logs an item must not log its values
	"strconv"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// Raw is an item of an unregistered type, as the SDK returns it. If formatted, logged or marshaled
// to JSON, it shows its type only, and no values.
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
