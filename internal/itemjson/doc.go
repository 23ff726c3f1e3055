// Package itemjson reads and writes items in DynamoDB JSON, the form that they have in requests and
// responses: {"id":{"S":"e7"},"logins":{"N":"3"}}.
//
// [Scan] reads one item, and [Items.Scan] a list of items. Both check the syntax completely and
// record where each value is. An [Item] finds its attributes from these records, without reading
// the JSON again. [Skip] finds the end of any JSON value. [Item.Map] and [Append] convert between
// JSON and the attribute values of the SDK. [Item.Set] makes the same records of an attribute
// value.
//
// Scanning accepts whitespace, escapes and members in any order. It is stricter than the SDK in
// these points: every attribute value must have exactly one member, whose name is a type that
// DynamoDB has, and whose value is not null; values may be nested 100 levels deep. Text that is not
// UTF-8 is kept as the SDK keeps it.
package itemjson
