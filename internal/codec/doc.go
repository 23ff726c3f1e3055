// Package codec encodes Go structs as DynamoDB items and decodes them as attributevalue does, but
// several times faster. It compiles a plan once for each type.
//
// [Compile] compiles a struct type and its dynamodbav tags to a [Struct]. A Struct holds its
// [Field]s with their offsets. Each Field holds the [Node] of its type, and the Node holds the
// nodes of elements and nested structs. [Struct.Encode] and [Struct.Decode] convert whole items. A
// Field is also encoded and decoded alone ([Field.Encode], [Field.Decode], [Field.EncodeOperand])
// or as part of a key ([Field.Key], [Field.SetKey]). [EncodeAny] converts values that no field
// has. [ItemSize] returns the size in bytes that DynamoDB counts for an item.
//
// [Struct.AppendJSON] encodes a struct as DynamoDB JSON without attribute values in between. Its
// results and errors are those of Encode. Types with their own methods, interfaces, sets except
// []string, and maps except map[string]string are converted through the attribute value of that one
// value.
//
// There is one decoder, which reads items in JSON ([Struct.DecodeJSON]). Struct.Decode and
// Field.Decode first set each attribute value as a value in JSON, with [itemjson.Item.Set].
//
// # What is stored
//
// The reference is attributevalue with its default options and UseEncodingMarshalers and
// UseEncodingUnmarshalers. These differences are intended:
//
//   - attribute names match exactly; attributevalue also accepts a name that differs in case
//   - omitempty omits a zero time, and omitemptyelem omits one that is an element. It omits a value
//     of a type with its own form whose IsZero returns true, unless a reader would get
//     another value
//   - a value behind a pointer may be empty: omitempty omits only a nil pointer. Two pointers are
//     stored as one, and a pointer to nil is read as nil
//   - the zero value "" of a json.Number or similar type is stored as nil is
//   - methods with a pointer receiver also encode map elements, map keys, and values in interfaces;
//     attributevalue stores such a big.Int as an empty M
//   - a map key is not encoded by its method String, whose text no method reads
//   - an interface is decoded to a value that is encoded as the same attribute: a number that a
//     float64 does not hold is an attributevalue.Number, and an SS or NS is the SDK's
//     attribute value
//   - times are stored in UTC, whatever their zone; attributevalue stores the zone, and such texts
//     do not compare as times
//   - unixtime applies to time.Time; with UseEncodingMarshalers, attributevalue prefers MarshalText
//   - a field that the caller marked OmitZero is omitted when it is absent, and one marked by
//     [Field.StoreUnix] when it is zero
//   - NaN, infinities, and a json.Number or similar type whose text is not a number are errors
//     ([ErrNotNumber])
//   - numbers that DynamoDB cannot hold are errors ([ErrNumber]), also in json.Number and similar
//     types
//   - a types.AttributeValue is stored unchanged; attributevalue stores the Go struct that
//     implements it and cannot decode it. An attribute value that DynamoDB would refuse is an
//     error: an empty set, a number of 39 digits, an entry without a name
//   - a set that holds a value twice, or whose elements are all omitted, is an error ([ErrSet]),
//     because DynamoDB refuses it
//   - a text that is not UTF-8 is an error, because the SDK would store a different text
//   - two map keys that are encoded to the same name are an error; attributevalue keeps one of them
//   - a pointer to an interface is stored as the value it points to; attributevalue omits it
//   - elements of a set are decoded as elements of a list are, with their own methods
//   - nil, and a set without elements, are left out, unless nullempty or nullemptyelem asks for
//     NULL; attributevalue stores NULL. Elements of a list and of a map of interfaces stay NULL
//   - a method is never called on a nil pointer
//   - a value that contains itself is an error ([ErrDepth])
//   - the greatest float32 is decoded; attributevalue encodes it but fails to decode it
//   - decoding an M to a time is an error; attributevalue decodes it to the zero time
//   - slices of named byte types are B, and arrays of bytes accept a B of exactly their length;
//     attributevalue panics on both
//   - methods of the outermost type are not called; an outermost type that marshals itself to an
//     attribute value is an [Issue]
//
// Decoding starts from the zero value; attributevalue would reuse existing slices and maps. Decoded
// values share no memory with the item. Definitions that attributevalue silently ignores are
// issues: options that do not exist or have no effect on their type, fields that hide each other,
// and embedded values that cannot be stored. So are types whose values would not be read as they
// were stored: funcs, channels and interfaces with methods, types that encode themselves by a
// method and do not decode the result, structs whose fields are all unexported, and structs that
// are stored in the form of a type that they embed and have other fields. A value of such a type in
// an interface is an error if a part of it would not be stored.
//
// # Errors
//
// Every error is a [*FieldError]. Its text holds names and types, never a value. Use errors.Is and
// errors.As for the error of a type's own method or of strconv.
package codec
