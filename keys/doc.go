// Package keys writes field values into DynamoDB keys so that distinct values give distinct keys, keys sort as their
// values do, and every comparison is one exact key condition, whatever the values contain.
//
// A template such as ORDER#<placed_at:s>#<id> is literal text with placeholders: <name>, <name:format> or
// <name:format,desc>. What stands behind a placeholder starts with the delimiter, '#'.
//
//	text, TextMarshaler   no format · lower, upper (folded, one way)
//	integers              08 (zero-padded, any width to 020) · ord · raw (not ordered)
//	floats                ord (16 hex digits that sort as the numbers)
//	time.Time             ns us ms s · unix (seconds, since 1970) · hour day month year, in UTC
//	bool                  no format (0 or 1)
//	[]byte                hex
//	integers, floats, times   any of the ordered ones with ,desc: keys sort downwards
//	any                   a Format of the config, such as one made by Layout
//
// A type whose underlying type is time.Time is a time. A struct that embeds a time.Time and has its
// text form cannot be in a key: that text does not sort by time.
//
// Compile a template once, then use it from any goroutine: [Template.Render] and [Template.Append] write keys,
// [Template.Parse] reads them back, [Template.Range] and [Template.All] turn comparisons into key conditions.
// [Overlap] finds two entities that get in each other's way on one table or index, and shows by which key.
//
// # How values are written
//
// In text each byte up to '$' (0x24) becomes '$' and the byte plus 0x25; every other byte stands for itself, so that
// identifiers, e-mail addresses and times stay as they are. With P the key up to and with a value, P$ is never a key:
// keys with that value lie below it, keys with a greater one above.
//
// A template that is exactly one placeholder is native: the attribute, of type S, N or B, is the value, unescaped.
// In raw mode, for tables that hold keys already and for every delimiter but '#', values are written as they are: one
// that holds the delimiter is refused, except the last, and keys sort as tuples only while no value holds a byte below
// the delimiter.
//
// No text of a value starts with "$U": such segments are the library's own.
//
// Errors name fields, formats and sizes, never values.
package keys
