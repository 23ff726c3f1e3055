// Package keys renders field values as DynamoDB keys. Distinct values give distinct keys, keys sort
// in the order of their values, and one key condition selects exactly the keys of a comparison.
// This holds for all values, even if they contain the delimiter. Formats that drop precision, such
// as day and lower, give equal keys to the values that they do not distinguish.
//
// A template such as ORDER#<placed_at:s>#<id> is literal text with placeholders: <name>,
// <name:format> or <name:format,desc>. The text after a placeholder starts with the delimiter, '#'.
//
// The formats for each type of field are:
//
//	text, TextMarshaler   none; lower, upper (the original case is lost)
//	integers              08 (zero-padded; a width of at most 020); ord; raw (does not sort)
//	floats                ord (16 hex digits, which sort like the numbers)
//	time.Time             ns, us, ms, s, hour, day, month, year (in UTC); unix (seconds since 1970)
//	bool                  none (0 or 1)
//	[]byte                hex
//	any                   a Format of the config, such as one that Layout returns
//
// Formats of integers, floats and times that sort can have the suffix ,desc: keys then sort in
// descending order.
//
// A type whose underlying type is time.Time is a time. A struct that embeds a time.Time and uses
// its text form cannot be in a key, because that text does not sort by time.
//
// A compiled [Template] is safe for concurrent use. [Template.Render] and [Template.Append] write
// keys. [Template.Parse] parses them. [Template.Prefix] returns the operand of a begins_with
// condition. [Layout] makes a custom format from a time layout. [Template.Range] and
// [Template.Space] use types of an internal package: only Trestle can call them.
//
// # How values are written
//
// In text, each byte up to '$' (0x24) is written as '$' and the byte plus 0x25. Every other byte is
// unchanged, so identifiers, e-mail addresses and times stay readable. The order of keys is
// therefore the order of their values, one after the other: the delimiter sorts before '$', and '$'
// sorts before every unchanged byte.
//
// A template that is exactly one placeholder is native: the attribute, of type S, N or B, is the
// unescaped value.
//
// The placeholder <shard>, or <shard:id,at>, is the number of a shard in three digits. It needs
// Options.Sharded, and other text beside it. Its value is of [KindInt], from 0 to 999. Package
// entity computes it from the fields after the colon, which do not change what is written.
//
// Raw mode writes values unescaped. It is for tables that already have such keys. A delimiter other
// than '#' implies raw mode. In raw mode, a value that contains the delimiter is an error, unless
// it is the last one. Raw keys sort in the order of their values only if no value contains a byte
// below the delimiter.
//
// The text of a value never starts with "$U", which is reserved for the library. Names of formats
// that begin with z are reserved too.
//
// Errors name fields, formats and sizes, never values.
package keys
