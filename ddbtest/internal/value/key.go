package value

import "strings"

// A string or a binary value in a key ends with the bytes 00 01. A byte 00 in the value is escaped
// as 00 ff, so that it is not taken for the end and sorts after it.
const (
	keyZero    = 0x00
	keyEnd     = 0x01
	keyEscaped = 0xff
)

// AppendKey appends a String, a Number or a Binary as a component of a key. Components of one type
// sort bytewise as [Compare] sorts the values. No component is a prefix of another, so keys of
// several components sort component by component. A value of any other type appends nothing.
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

// AppendKeyPrefix appends the bytes with which the components of exactly those values begin that
// have the prefix v, a String or a Binary. A value of any other type appends nothing.
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
