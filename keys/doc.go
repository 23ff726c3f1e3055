// Package keys writes field values into DynamoDB keys. Distinct values give distinct keys, keys
// sort in the order of their values, and every comparison is one exact key condition, whatever the
// values contain.
//
// A template such as ORDER#<placed_at:s>#<id> is literal text with placeholders: <name>,
// <name:format> or <name:format,desc>. The text after a placeholder starts with the delimiter, '#'.
//
//	text, TextMarshaler   no format · lower, upper (folded, one way)
//	integers              08 (zero-padded, any width to 020) · ord · raw (not ordered)
//	floats                ord (16 hex digits that sort as the numbers)
//	time.Time             ns us ms s · unix (seconds, since 1970) · hour day month year, in UTC
//	bool                  no format (0 or 1)
//	[]byte                hex
//	integers, floats, times   any of the ordered ones with ,desc: keys sort in descending order
//	any                   a Format of the config, such as one that Layout returns
//
// A type whose underlying type is time.Time is a time. A struct that embeds a time.Time and uses
// its text form cannot be in a key, because that text does not sort by time.
//
// Compile a template once and use it from any goroutine. [Template.Render] and [Template.Append]
// write keys. [Template.Parse] parses them. [Template.Prefix] returns the operand of a begins_with
// condition. [Layout] makes a custom format from a time layout. Methods of Template with operators
// and ranges have types of an internal package and are for the library alone.
//
// # How values are written
//
// In text, each byte up to '$' (0x24) is written as '$' and the byte plus 0x25. Every other byte is
// unchanged, so identifiers, e-mail addresses and times stay readable. Let P be the text of a key
// up to the end of a value. P$ is never a key: keys with that value sort before it, and keys with a
// greater value sort after it.
//
// A template that is exactly one placeholder is native: the attribute, of type S, N or B, is the
// unescaped value. Raw mode writes values unescaped. It is meant for tables that hold keys already,
// and applies to every delimiter except '#'. In raw mode only the last value can contain the
// delimiter; others are an error. Raw keys sort as tuples only if no value contains a byte below
// the delimiter.
//
// The text of a value never starts with "$U": such segments are reserved for the library. So are
// names of formats that begin with z.
//
// Errors name fields, formats and sizes, never values.
package keys
