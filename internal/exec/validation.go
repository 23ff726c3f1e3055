package exec

import (
	"strings"

	"github.com/aws/smithy-go"
)

// validationHint returns the most likely fix for a ValidationException. DynamoDB's message may
// contain values, so validationHint searches it for phrases and never returns it. Nothing else
// depends on its wording, which may change.
func validationHint(err smithy.APIError) string {
	message := strings.ToLower(err.ErrorMessage())
	for _, v := range validations {
		for _, phrase := range v.phrases {
			if strings.Contains(message, phrase) {
				return v.hint
			}
		}
	}
	return "the service calls the request malformed: its message, which errors.As gives as a smithy.APIError, says why and may hold values; " +
		"table.Check compares the table with the schema"
}

// validations are the reasons why DynamoDB may reject a request of the library, the specific ones
// first.
var validations = []struct {
	hint    string
	phrases []string
}{
	{"the item would be larger than 400 KB (409,600 bytes, names and values): split it, or keep the large part elsewhere",
		[]string{"item size"}},
	{"a change or a condition does not suit the type that an attribute is stored as: look for an item that another program or an older type wrote",
		[]string{"incorrect data type", "incorrect operand type"}},
	{"a change goes below an attribute that is not there, or is no map or list: Set the whole of it first",
		[]string{"document path"}},
	{"a change reads an attribute that the item does not have: SetIfAbsent it first",
		[]string{"does not exist in the item"}},
	{"the sum is no number that DynamoDB holds: 38 digits, 1E-130 to 9.99E+125",
		[]string{"number overflow", "number underflow"}},
	{"a value is nested more than 32 levels deep: split the item",
		[]string{"nesting levels"}},
	{"the table does not have the index: add it to the table, or compare the table with table.Check",
		[]string{"specified index"}},
	{"the index does not hold every attribute that is read: compare its projection with table.Check",
		[]string{"does not project"}},
	{"the key of an index is too long: its partition attributes have 2048 bytes at most, its sort attributes 1024",
		[]string{"aggregate", "beyond allowed size"}},
	{"an attribute that is the key of an index has another type there, or is empty: compare the table with table.Check",
		[]string{"index key", "indexkey"}},
	{"the table's key is not the schema's: compare the table with table.Check",
		[]string{"key element", "missing the key", "type mismatch for key", "does not match schema type", "missed key schema", "key condition not supported"}},
	{"the read goes on from a position that is none of this table or index: begin it again without the cursor",
		[]string{"start key", "starting key"}},
}
