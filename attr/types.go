package attr

// Type is the type of a stored attribute, in DynamoDB's notation; see [Field.IsType].
type Type string

// The types of attributes.
const (
	String    Type = "S"
	Numeric   Type = "N"
	Binary    Type = "B"
	Bool      Type = "BOOL"
	Null      Type = "NULL"
	List      Type = "L"
	Map       Type = "M"
	StringSet Type = "SS"
	NumberSet Type = "NS"
	BinarySet Type = "BS"
)
