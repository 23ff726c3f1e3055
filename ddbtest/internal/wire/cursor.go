package wire

import (
	"unicode/utf8"
)

// cursor reads JSON text. It accepts exactly what RFC 8259 allows, and never recurses.
type cursor struct {
	text      []byte
	at        int
	unescaped []byte // the last string that had escapes
	open      []byte // the closing brackets of the objects and arrays being skipped
}

// token is the kind of a JSON value.
type token byte

const (
	tokenNone token = iota
	tokenObject
	tokenArray
	tokenString
	tokenNumber
	tokenTrue
	tokenFalse
	tokenNull
)

// tokens maps the first byte of a value to its kind.
var tokens = func() (t [256]token) {
	t['{'], t['['], t['"'] = tokenObject, tokenArray, tokenString
	t['t'], t['f'], t['n'] = tokenTrue, tokenFalse, tokenNull
	t['-'] = tokenNumber
	for digit := '0'; digit <= '9'; digit++ {
		t[digit] = tokenNumber
	}
	return t
}()

// token skips white space, and returns the kind of the next value.
func (c *cursor) token() token {
	c.space()
	if c.at == len(c.text) {
		return tokenNone
	}
	return tokens[c.text[c.at]]
}

func (c *cursor) space() {
	for c.at < len(c.text) {
		switch c.text[c.at] {
		case ' ', '\t', '\n', '\r':
			c.at++
		default:
			return
		}
	}
}

// more moves to the next member of an object, or to the next element of an array, that ends with
// end. It reports whether there is one. first is true before the first one. It does not check what
// follows a comma; a closing bracket there is not a valid value.
func (c *cursor) more(end byte, first bool) (bool, error) {
	c.space()
	if c.at == len(c.text) {
		return false, errMalformed()
	}
	switch b := c.text[c.at]; {
	case b == end:
		c.at++
		return false, nil
	case first:
		return true, nil
	case b == ',':
		c.at++
		return true, nil
	}
	return false, errMalformed()
}

// object reads the object at the cursor. It calls member for each name, with the cursor at the
// value. The bytes of the name are valid until the next string is read.
func (c *cursor) object(member func(name []byte) error) error {
	c.at++
	for first := true; ; first = false {
		more, err := c.more('}', first)
		if err != nil || !more {
			return err
		}
		name, err := c.name()
		if err != nil {
			return err
		}
		if err := member(name); err != nil {
			return err
		}
	}
}

// array reads the array at the cursor. It calls element for each element, counted from 0, with the
// cursor at the element.
func (c *cursor) array(element func(n int) error) error {
	c.at++
	for n := 0; ; n++ {
		more, err := c.more(']', n == 0)
		if err != nil || !more {
			return err
		}
		if err := element(n); err != nil {
			return err
		}
	}
}

// name reads the name of a member and the colon.
func (c *cursor) name() ([]byte, error) {
	if name, ok := c.plainName(); ok {
		return name, nil
	}
	if c.token() != tokenString {
		return nil, errMalformed()
	}
	name, err := c.string()
	if err != nil {
		return nil, err
	}
	c.space()
	if c.at == len(c.text) || c.text[c.at] != ':' {
		return nil, errMalformed()
	}
	c.at++
	return name, nil
}

// plainName reads a name and the colon as clients send them: without white space, in ASCII
// characters that are not escaped. It reads nothing otherwise.
func (c *cursor) plainName() ([]byte, bool) {
	rest := c.text[c.at:]
	if len(rest) == 0 || rest[0] != '"' {
		return nil, false
	}
	end := 1 + unescapedLength(rest[1:])
	if len(rest) < end+2 || rest[end] != '"' || rest[end+1] != ':' {
		return nil, false
	}
	c.at += end + 2
	return rest[1:end], true
}

// string reads the string at the cursor. The bytes are valid until the next string is read.
func (c *cursor) string() ([]byte, error) {
	start := c.at + 1
	i, ascii := start+unescapedLength(c.text[start:]), true
	for i < len(c.text) {
		switch b := c.text[i]; {
		case unescapedBytes[b]:
			i++
		case b == '"':
			c.at = i + 1
			return checkUTF8(c.text[start:i], ascii)
		case b == '\\':
			return c.escaped(start, i, ascii)
		case b >= utf8.RuneSelf:
			ascii = false
			i++
		default: // a control character
			return nil, errMalformed()
		}
	}
	return nil, errMalformed()
}

func checkUTF8(text []byte, ascii bool) ([]byte, error) {
	if !ascii && !utf8.Valid(text) {
		return nil, errMalformed()
	}
	return text, nil
}

// number reads the number at the cursor. integral is true if it has no fraction and no exponent.
func (c *cursor) number() (text []byte, integral bool, err error) {
	start := c.at
	if c.text[c.at] == '-' {
		c.at++
	}
	switch zero := c.at < len(c.text) && c.text[c.at] == '0'; {
	case zero:
		c.at++
	case !c.digits():
		return nil, false, errMalformed()
	}
	integral = true
	if c.at < len(c.text) && c.text[c.at] == '.' {
		c.at++
		integral = false
		if !c.digits() {
			return nil, false, errMalformed()
		}
	}
	if c.at < len(c.text) && c.text[c.at]|0x20 == 'e' {
		c.at++
		integral = false
		if c.at < len(c.text) && (c.text[c.at] == '+' || c.text[c.at] == '-') {
			c.at++
		}
		if !c.digits() {
			return nil, false, errMalformed()
		}
	}
	return c.text[start:c.at], integral, nil
}

// digits skips digits, and reports whether there was one.
func (c *cursor) digits() bool {
	start := c.at
	for c.at < len(c.text) && '0' <= c.text[c.at] && c.text[c.at] <= '9' {
		c.at++
	}
	return c.at > start
}

// word skips one of the three literal names of JSON. The caller has checked the first letter.
func (c *cursor) word(word string) error {
	end := c.at + len(word)
	if end > len(c.text) || string(c.text[c.at:end]) != word {
		return errMalformed()
	}
	c.at = end
	return nil
}

// null skips a null, if there is one at the cursor.
func (c *cursor) null() (bool, error) {
	if c.token() != tokenNull {
		return false, nil
	}
	return true, c.word("null")
}
