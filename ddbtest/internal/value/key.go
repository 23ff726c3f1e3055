package value

import "strings"

// A text or a byte string in a key ends with these two bytes. A byte 00 in it is followed by another one, so that it cannot be taken for the end,
// and sorts behind it.
const (
	keyZero    = 0x00
	keyEnd     = 0x01
	keyEscaped = 0xff
)

// AppendKey appends a String, a Number or a Binary as a component of a key. Components of one type sort by their bytes as [Compare] sorts the
// values, and none is a prefix of another: so keys of several components sort component by component. A value of any other type appends nothing.
func AppendKey(dst []byte, v Value) []byte {
	switch v := v.(type) {
	case String:
		return append(appendEscaped(dst, string(v)), keyZero, keyEnd)
	case Binary:
		return append(appendEscaped(dst, string(v)), keyZero, keyEnd)
	case Number:
		return v.AppendKey(dst)
	}
	return dst
}

// AppendKeyPrefix appends the bytes with which the components begin of exactly those values that begin with v, a String or a Binary. A value
// of any other type appends nothing.
func AppendKeyPrefix(dst []byte, v Value) []byte {
	switch v := v.(type) {
	case String:
		return appendEscaped(dst, string(v))
	case Binary:
		return appendEscaped(dst, string(v))
	}
	return dst
}

func appendEscaped(dst []byte, text string) []byte {
	for {
		i := strings.IndexByte(text, keyZero)
		if i < 0 {
			return append(dst, text...)
		}
		dst = append(append(dst, text[:i+1]...), keyEscaped)
		text = text[i+1:]
	}
}
