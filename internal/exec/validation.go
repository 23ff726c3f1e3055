package exec

import "strings"

// validationHint returns the most likely fix for a ValidationException with that message. The
// message may contain values, so validationHint searches it for phrases and never returns it.
// Nothing else depends on its wording, which may change.
func validationHint(message string) string {
	message = strings.ToLower(message)
	for _, v := range validations {
		for _, phrase := range v.phrases {
			if strings.Contains(message, phrase) {
				return v.hint
			}
		}
	}
	return "the service rejected the request as invalid: errors.As to smithy.APIError gives its message, which may contain values; " +
		"maintain.Check compares the table with the schema"
}

// validations are the reasons why DynamoDB may reject a request of the library, the specific ones
// first.
var validations = []struct {
	hint    string
	phrases []string
}{
	{"the item would exceed 400 KB (409,600 bytes, names and values): split it, or store the large part elsewhere",
		[]string{"item size"}},
	{"the items of the transaction have more than 4 MB, names and values: read them in several transactions, or with GetMany",
		[]string{"payload in response"}},
	{"a change or a condition does not fit the type of a stored attribute: the item stores it as another type than its field, and maintain.CheckItems lists such items",
		[]string{"incorrect data type", "incorrect operand type"}},
	{"a change names a child of an attribute that is missing, or is not a map or a list: Set the whole attribute first",
		[]string{"document path"}},
	{"a change reads an attribute that the item does not have: use SetIfAbsent first",
		[]string{"does not exist in the item"}},
	{"the sum is outside of DynamoDB's numbers: 38 digits, 1E-130 to 9.99E+125",
		[]string{"number overflow", "number underflow"}},
	{"a value is nested more than 32 levels deep: split the item",
		[]string{"nesting levels"}},
	{"the table does not have the index: add it to the table, or compare the table with maintain.Check",
		[]string{"specified index"}},
	{"the index does not project every requested attribute: compare its projection with maintain.Check",
		[]string{"does not project"}},
	{"an index key is too long: the partition key is limited to 2048 bytes, the sort key to 1024",
		[]string{"aggregate", "beyond allowed size"}},
	{"a key attribute of an index has another type in the table, or is empty: compare the table with maintain.Check",
		[]string{"index key", "indexkey"}},
	{"the table's key differs from the schema's: compare the table with maintain.Check",
		[]string{"key element", "missing the key", "type mismatch for key", "does not match schema type", "missed key schema", "key condition not supported"}},
	{"the start position does not belong to this table or index: start again without the cursor",
		[]string{"start key", "starting key"}},
}
