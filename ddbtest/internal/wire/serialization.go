package wire

import "github.com/trestledb/trestle/ddbtest/internal/awserr"

// errMalformed returns the error for invalid JSON. The service gives no details.
func errMalformed() error { return awserr.New(awserr.CodeSerialization, "") }

// errSerialization returns the error for JSON whose shape does not fit the request.
func errSerialization(format string, args ...any) error {
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

// The service's names of collections in messages about values of the wrong kind.
const (
	modelClass     = "com.amazonaws.dynamodb.v20120810."
	attributeClass = "class " + modelClass + "AttributeValue"
)

var itemClass = mapClass(modelClass + "AttributeValue")

func mapClass(elem string) string { return "java.util.Map<java.lang.String, " + elem + ">" }

// notScalar returns the error for the value at the cursor, if a scalar of that class was expected.
func (c *cursor) notScalar(class string) error {
	switch c.token() {
	case tokenObject:
		return errSerialization(unexpectedStructure)
	case tokenArray:
		return errSerialization(unexpectedClass, "class java.lang."+class)
	}
	name, err := c.scalarName()
	if err != nil {
		return err
	}
	return errSerialization("%s cannot be converted to %s", name, class)
}

// notCollection returns the error for the value at the cursor, if an array or an object was
// expected. class is the service's name of the expected type. element reports whether the value is
// in a list or a map.
func (c *cursor) notCollection(class string, element bool) error {
	switch c.token() {
	case tokenObject:
		return errSerialization(unexpectedStructure)
	case tokenArray:
		return errSerialization(unexpectedClass, class)
	}
	if _, err := c.scalarName(); err != nil {
		return err
	}
	if element {
		return errSerialization(unexpectedValue)
	}
	return errSerialization(unexpectedField)
}

// scalarName skips the string, number or literal name at the cursor, and returns the service's name
// of its kind.
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
	return "", errMalformed()
}

// errDuplicate returns the error for an object with two members of the same name.
func errDuplicate(name string) error { return errSerialization("Duplicate member: %s", shorten(name)) }
