// Package codec turns Go structs into DynamoDB items and back exactly as attributevalue does, several times faster, from a plan that is
// compiled once for each type.
//
// [Compile] looks at a struct type and its dynamodbav tags and returns a [Struct]: its [Field]s with their offsets, each with the [Node] of
// its type, and below that the nodes of elements and nested structs. [Struct.Encode] and [Struct.Decode] move whole items; a Field also
// moves alone ([Field.Encode], [Field.EncodeOperand]) and gives and takes its value as part of a key ([Field.Key], [Field.SetKey]).
// [NodeOf] and [EncodeAny] are for types and values that no field has. [ItemSize] is what DynamoDB charges for an item.
//
// # What is stored
//
// The reference is attributevalue with its defaults and UseEncodingMarshalers, UseEncodingUnmarshalers. These differ from it, by intent:
//
//   - attribute names match exactly; attributevalue also takes a name that differs in case
//   - a zero time is left out under omitempty, and under omitemptyelem as an element, also behind a pointer
//   - times are stored in UTC, whatever their zone; attributevalue writes the zone, and such texts do not compare as times
//   - unixtime is honored on time.Time; attributevalue prefers MarshalText to it when UseEncodingMarshalers is on
//   - a field that the caller marked OmitZero is left out when it is absent, and one marked by [Field.StoreUnix] when it is zero
//   - NaN, infinities and texts in json.Number and its like that are no numbers are errors ([ErrNotNumber])
//   - numbers that DynamoDB cannot hold are errors ([ErrNumber]), also in json.Number and its like
//   - types.AttributeValue stands for itself; attributevalue writes the Go struct behind it and cannot read it back. One that the service
//     would refuse is an error: an empty set, a number of 39 digits, an entry without a name
//   - a set that holds a value twice, or nothing but elements that are left out, is an error ([ErrSet]), and so is a text that is not UTF-8: the service refuses the one, and
//     the SDK stores another text for the other
//   - map keys that are written alike are an error; attributevalue keeps one of them
//   - a pointer to an interface is stored as what it points to; attributevalue leaves it out
//   - elements of a set are read as elements of a list are, by their own methods
//   - a method is never called on a nil pointer: nil is NULL
//   - a value that holds itself is an error ([ErrDepth])
//   - the greatest float32 is read back; attributevalue writes it, and refuses to read it
//   - a map is no time: attributevalue reads an M into a zero time
//   - slices of named byte types are B, arrays of bytes take a B of exactly their length, and interfaces with methods refuse every attribute
//     but NULL; attributevalue panics on all three
//   - the methods of the outermost type are not asked; one that marshals itself into an attribute value is a [Fault]
//
// Decoding starts from the zero value: attributevalue would reuse what slices and maps already hold. What was decoded shares no memory with
// the item. Definitions that attributevalue would silently pass over are faults: options that do not exist or do nothing on their type,
// fields that hide each other, embedded values that cannot be stored.
//
// # Errors
//
// Every error is a [*FieldError]. Its text holds names and types, never a value: what a type's own method or strconv said is reached by
// errors.Is and errors.As only.
package codec
