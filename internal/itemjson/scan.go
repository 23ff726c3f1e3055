package itemjson

import (
	"encoding/base64"
	"encoding/binary"
	"math"
)

// maxDepth is the greatest number of levels of a value. DynamoDB stores 32.
const maxDepth = 100

// Scan scans the item that begins at an offset of the body, after whitespace. It appends the
// records to into[:0], and returns the offset after the item. An error is a *SyntaxError.
func Scan(body []byte, at int, into []Value) (it Item, end int, err error) {
	s := scanner{body: body, values: into[:0]}
	if end = s.item(at); end < 0 {
		return Item{}, 0, s.err
	}
	return Item{Body: body, Values: s.values}, end, nil
}

// scanner appends the records of values. Its methods return the offset after what they scan, or -1
// after an error.
type scanner struct {
	body   []byte
	values []Value
	err    error
}

func (s *scanner) fail(i int, reason string) int {
	if s.err == nil {
		s.err = syntaxError(s.body, i, reason)
	}
	return -1
}

// item scans an item.
func (s *scanner) item(i int) int {
	if i < 0 || uint64(len(s.body)) > math.MaxUint32 {
		return s.fail(0, "the body is too long")
	}
	if i = s.expect(i, '{'); i < 0 {
		return -1
	}
	return s.members(i, 0)
}

// space returns the offset of the first byte at or after i that is not whitespace.
func (s *scanner) space(i int) int {
	for i < len(s.body) && isSpace(s.body[i]) {
		i++
	}
	return i
}

func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\r' || c == '\t' }

// expect scans whitespace and the byte c.
func (s *scanner) expect(i int, c byte) int {
	if i < len(s.body) && s.body[i] == c {
		return i + 1
	}
	if i = s.space(i); i < len(s.body) && s.body[i] == c {
		return i + 1
	}
	return s.fail(i, "expected "+string(rune(c)))
}

// next scans what separates two members or elements. more is false after the last one, which ends
// with the byte c.
func (s *scanner) next(i int, c byte) (end int, more bool) {
	if i = s.space(i); i >= len(s.body) {
		return s.fail(i, "the JSON is truncated"), false
	}
	switch s.body[i] {
	case ',':
		return s.space(i + 1), true
	case c:
		return i + 1, false
	default:
		return s.fail(i, "expected a comma or "+string(rune(c))), false
	}
}

// first scans the whitespace before the first member or element. more is false if there is none.
func (s *scanner) first(i int, c byte) (end int, more bool) {
	if i = s.space(i); i < len(s.body) && s.body[i] == c {
		return i + 1, false
	}
	return i, true
}

// members scans the members of an object, from the byte after its brace to its end.
func (s *scanner) members(i, depth int) int {
	i, more := s.first(i, '}')
	for more {
		if i >= len(s.body) || s.body[i] != '"' {
			return s.fail(i, "expected a name")
		}
		at := len(s.values)
		if i = s.name(i + 1); i < 0 {
			return -1
		}
		if i = s.value(i, at, depth); i < 0 {
			return -1
		}
		if i+1 < len(s.body) && s.body[i] == ',' && s.body[i+1] == '"' {
			i++
			continue
		}
		i, more = s.next(i, '}')
	}
	return i
}

// The first bytes of values, without whitespace, as words.
const (
	first6 = 1<<48 - 1

	textMask  = first6 &^ (0xff << 16) // without the name of the type
	startText = '{' | '"'<<8 | '"'<<24 | ':'<<32 | '"'<<40

	startM = '{' | '"'<<8 | 'M'<<16 | '"'<<24 | ':'<<32 | '{'<<40
	startL = '{' | '"'<<8 | 'L'<<16 | '"'<<24 | ':'<<32 | '['<<40

	startBOOL = '{' | '"'<<8 | 'B'<<16 | 'O'<<24 | 'O'<<32 | 'L'<<40 | '"'<<48 | ':'<<56
)

// textTypes holds the types of plain texts by their names.
var textTypes = [256]Type{'S': S, 'N': N}

// value scans an attribute value, whose record is at an index. The most frequent forms are
// recognized by their first bytes.
func (s *scanner) value(i, at, depth int) int {
	if i+8 <= len(s.body) {
		word := binary.LittleEndian.Uint64(s.body[i:])
		if word&textMask == startText { // of an S or N: their order is random, so there is no branch
			if t := textTypes[byte(word>>16)]; t != 0 {
				return s.plain(t, i+6, at)
			}
		}
		if first := word & first6; (first == startM || first == startL) && depth < maxDepth {
			return s.container(typeOf(s.body[i+2:i+3]), i+5, at, depth)
		}
		if word == startBOOL {
			return s.literal(BOOL, i+8, at)
		}
	}
	return s.anyValue(i, at, depth)
}

// anyValue scans an attribute value in any form.
func (s *scanner) anyValue(i, at, depth int) int {
	if depth >= maxDepth {
		return s.fail(i, "values are nested too deeply")
	}
	if i = s.expect(i, '{'); i < 0 {
		return -1
	}
	if i = s.expect(i, '"'); i < 0 {
		return -1
	}
	end, escaped, ok := textEnd(s.body, i)
	if !ok {
		return s.fail(end, "invalid text")
	}
	name := s.body[i:end]
	if escaped {
		name = unescape(name)
	}
	t := typeOf(name)
	if t == 0 {
		return s.fail(i, "unknown attribute type")
	}
	if i = s.expect(end+1, ':'); i < 0 {
		return -1
	}
	switch i = s.space(i); t {
	case S, N, B:
		if i = s.expect(i, '"'); i < 0 {
			return -1
		}
		return s.text(t, i, at)
	case BOOL, NULL:
		return s.literal(t, i, at)
	default:
		return s.container(t, i, at, depth)
	}
}

// typeOf returns the type of that name, or 0.
func typeOf(name []byte) Type {
	for t := S; t <= BS; t++ {
		if string(name) == names[t] {
			return t
		}
	}
	return 0
}

// plain is text for an S or N, which usually has no escapes.
func (s *scanner) plain(t Type, i, at int) int {
	end := plainEnd(s.body, i)
	if end+2 > len(s.body) || s.body[end] != '"' || s.body[end+1] != '}' {
		return s.text(t, i, at)
	}
	v := &s.values[at]
	v.Start, v.End, v.Span, v.Type = uint32(i), uint32(end), 1, t
	return end + 2
}

// text scans an S, N or B from the byte after its quote to the end of the attribute value.
func (s *scanner) text(t Type, i, at int) int {
	end := s.quoted(t, i, at)
	if end < 0 {
		return -1
	}
	return s.expect(end, '}')
}

// quoted scans a text from the byte after its first quote to its last.
func (s *scanner) quoted(t Type, i, at int) int {
	end, escaped, ok := textEnd(s.body, i)
	if !ok {
		return s.fail(end, "invalid text")
	}
	v := &s.values[at]
	v.Start, v.End, v.Span, v.Type, v.Escaped = uint32(i), uint32(end), 1, t, escaped
	if t == B && !isBase64(s.body[i:end], escaped) {
		return s.fail(i, "invalid base64")
	}
	return end + 1
}

// isBase64 reports whether the SDK decodes a text.
func isBase64(text []byte, escaped bool) bool {
	if escaped {
		text = unescape(text)
	}
	_, err := base64.StdEncoding.AppendDecode(nil, text)
	return err == nil
}

// literal scans true or false, to the end of the attribute value.
func (s *scanner) literal(t Type, i, at int) int {
	i = s.space(i)
	length := 0
	for _, word := range [...]string{"true", "false"} {
		if i+len(word) <= len(s.body) && string(s.body[i:i+len(word)]) == word {
			length = len(word)
		}
	}
	if length == 0 {
		return s.fail(i, "expected true or false")
	}
	v := &s.values[at]
	v.Start, v.End, v.Span, v.Type = uint32(i), uint32(i+length), 1, t
	return s.expect(i+length, '}')
}

// container scans an M, an L or a set, from its first byte to the end of the attribute value.
func (s *scanner) container(t Type, i, at, depth int) int {
	if t == M {
		if i = s.expect(i, '{'); i >= 0 {
			i = s.members(i, depth+1)
		}
	} else if i = s.expect(i, '['); i >= 0 {
		i = s.elements(t, i, depth+1)
	}
	if i < 0 {
		return -1
	}
	v := &s.values[at]
	v.Type, v.Span = t, uint32(len(s.values)-at)
	return s.expect(i, '}')
}

// elements scans the elements of an L or a set, from the byte after its bracket to its end.
func (s *scanner) elements(t Type, i, depth int) int {
	i, more := s.first(i, ']')
	for more {
		at := len(s.values)
		s.values = append(s.values, Value{})
		if t == L {
			i = s.value(i, at, depth)
		} else if i = s.expect(i, '"'); i >= 0 {
			i = s.quoted(elements[t], i, at)
		}
		if i < 0 {
			return -1
		}
		i, more = s.next(i, ']')
	}
	return i
}
