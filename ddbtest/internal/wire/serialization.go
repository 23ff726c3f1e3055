package wire

import "github.com/trestledb/trestle/ddbtest/internal/awserr"

// malformed is the answer to what is no JSON: the service does not say more.
func malformed() error { return awserr.New(awserr.CodeSerialization, "") }

// mismatch is the answer to JSON of another shape than the request's.
func mismatch(format string, args ...any) error {
	return awserr.New(awserr.CodeSerialization, format, args...)
}

const (
	unexpectedField     = "Unexpected field type"
	unexpectedValue     = "Unexpected value type in payload"
	unexpectedToken     = "Unexpected token received from parser"
	unexpectedStructure = "Start of structure or map found where not expected"
	unexpectedClass     = "Unrecognized collection type %s"
	notBase64           = "only base-64-encoded strings are convertible to bytes"
)

// What the service calls collections, when another one stands in their place.
const (
	modelClass     = "com.amazonaws.dynamodb.v20120810."
	attributeClass = "class " + modelClass + "AttributeValue"
)

var itemClass = mapClass(modelClass + "AttributeValue")

func mapClass(elem string) string { return "java.util.Map<java.lang.String, " + elem + ">" }

// notScalar is the answer to the value that begins here, where one of the class was expected.
func (c *cursor) notScalar(class string) error {
	switch c.token() {
	case tokenObject:
		return mismatch(unexpectedStructure)
	case tokenArray:
		return mismatch(unexpectedClass, "class java.lang."+class)
	}
	name, err := c.scalarName()
	if err != nil {
		return err
	}
	return mismatch("%s cannot be converted to %s", name, class)
}

// notCollection is the answer to the value that begins here, where an array or an object was expected, as a member's value or else as an
// element of a list or map. class is what the service calls what was expected.
func (c *cursor) notCollection(class string, element bool) error {
	switch c.token() {
	case tokenObject:
		return mismatch(unexpectedStructure)
	case tokenArray:
		return mismatch(unexpectedClass, class)
	}
	if _, err := c.scalarName(); err != nil {
		return err
	}
	if element {
		return mismatch(unexpectedValue)
	}
	return mismatch(unexpectedField)
}

// scalarName reads over the string, number or word that begins here, and is the service's name for it.
func (c *cursor) scalarName() (name string, err error) {
	switch c.token() {
	case tokenString:
		_, err = c.string()
		return "STRING_VALUE", err
	case tokenNumber:
		_, integral, err := c.number()
		if integral {
			return "NUMBER_VALUE", err
		}
		return "DECIMAL_VALUE", err
	case tokenTrue:
		return "TRUE_VALUE", c.word("true")
	case tokenFalse:
		return "FALSE_VALUE", c.word("false")
	case tokenNull:
		return "NULL_VALUE", c.word("null")
	}
	return "", malformed()
}

// duplicate is the answer to an object with two members of one name.
func duplicate(name string) error { return mismatch("Duplicate member: %s", shorten(name)) }
