package entity

import (
	"encoding/json"
	"log/slog" //nolint:depguard // nothing is logged here: a caller who logs an item must not log its values
	"strconv"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// Raw is an item of no registered type, as the SDK speaks of it. Formatted, logged or marshaled to JSON it shows its type only, no values.
type Raw struct {
	Type string // what its type attribute holds; may be empty
	Item map[string]types.AttributeValue
}

// String names the type.
func (r Raw) String() string { return "raw item of type " + strconv.Quote(r.Type) }

// GoString names the type.
func (r Raw) GoString() string { return r.String() }

// LogValue names the type.
func (r Raw) LogValue() slog.Value { return slog.StringValue(r.String()) }

// MarshalJSON names the type.
func (r Raw) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Type string `json:"type"`
	}{r.Type})
}
