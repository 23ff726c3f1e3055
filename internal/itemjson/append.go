package itemjson

import (
	"encoding/base64"
	"errors"
	"reflect"
	"strconv"
	"unicode/utf8"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// ErrUnknownType is the error for an attribute value that is not of the SDK's types, or is nil.
var ErrUnknownType = errors.New("itemjson: unknown attribute type")

// Append appends an item as JSON. Members are in random order. An attribute value of an unknown
// type is ErrUnknownType.
func Append(dst []byte, item map[string]types.AttributeValue) ([]byte, error) {
	dst = append(dst, '{')
	var err error
	for name, av := range item {
		if dst, err = AppendMember(dst, name, av); err != nil {
			return dst, err
		}
	}
	return append(dst, '}'), nil
}

// AppendMember appends a member of an item, after a comma if dst does not end with a brace.
func AppendMember(dst []byte, name string, av types.AttributeValue) ([]byte, error) {
	return AppendAttribute(AppendName(dst, name), av)
}

// AppendName appends the name of a member and a colon, after a comma if dst does not end with a
// brace.
func AppendName(dst []byte, name string) []byte {
	if n := len(dst); n == 0 || dst[n-1] != '{' {
		dst = append(dst, ',')
	}
	return append(AppendText(dst, name), ':')
}

// AppendAttribute appends an attribute value. One of an unknown type, or nil, is ErrUnknownType.
func AppendAttribute(dst []byte, av types.AttributeValue) ([]byte, error) {
	if v := reflect.ValueOf(av); v.Kind() == reflect.Pointer && v.IsNil() {
		return dst, ErrUnknownType
	}
	switch tv := av.(type) {
	case *types.AttributeValueMemberS:
		return append(AppendText(append(dst, `{"S":`...), tv.Value), '}'), nil
	case *types.AttributeValueMemberN:
		return append(AppendText(append(dst, `{"N":`...), tv.Value), '}'), nil
	case *types.AttributeValueMemberB:
		return append(AppendBase64(append(dst, `{"B":`...), tv.Value), '}'), nil
	case *types.AttributeValueMemberBOOL:
		return append(strconv.AppendBool(append(dst, `{"BOOL":`...), tv.Value), '}'), nil
	case *types.AttributeValueMemberNULL:
		return append(strconv.AppendBool(append(dst, `{"NULL":`...), tv.Value), '}'), nil
	case *types.AttributeValueMemberSS:
		return append(appendSet(append(dst, `{"SS":[`...), tv.Value, AppendText), '}'), nil
	case *types.AttributeValueMemberNS:
		return append(appendSet(append(dst, `{"NS":[`...), tv.Value, AppendText), '}'), nil
	case *types.AttributeValueMemberBS:
		return append(appendSet(append(dst, `{"BS":[`...), tv.Value, AppendBase64), '}'), nil
	case *types.AttributeValueMemberL:
		dst = append(dst, `{"L":[`...)
		var err error
		for i, elem := range tv.Value {
			if i > 0 {
				dst = append(dst, ',')
			}
			if dst, err = AppendAttribute(dst, elem); err != nil {
				return dst, err
			}
		}
		return append(dst, `]}`...), nil
	case *types.AttributeValueMemberM:
		dst, err := Append(append(dst, `{"M":`...), tv.Value)
		return append(dst, '}'), err
	default:
		return dst, ErrUnknownType
	}
}

// appendSet appends the elements of a set and its closing bracket.
func appendSet[E any](dst []byte, elems []E, appendElem func([]byte, E) []byte) []byte {
	for i, elem := range elems {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendElem(dst, elem)
	}
	return append(dst, ']')
}

// AppendBase64 appends bytes as a text in base64.
func AppendBase64(dst, b []byte) []byte {
	return append(base64.StdEncoding.AppendEncode(append(dst, '"'), b), '"')
}

// AppendText appends a text in quotes. Like the SDK, it replaces each byte that is not UTF-8 by
// U+FFFD.
func AppendText(dst []byte, s string) []byte {
	dst, _ = AppendValidText(dst, s)
	return dst
}

// AppendValidText is AppendText. valid is false if the text is not UTF-8.
func AppendValidText(dst []byte, s string) (_ []byte, valid bool) {
	dst, valid = AppendInner(append(dst, '"'), s)
	return append(dst, '"'), valid
}

// AppendInner is AppendValidText without the quotes. s may be the bytes after dst.
func AppendInner[T string | []byte](dst []byte, s T) (_ []byte, valid bool) {
	start := len(dst)
	dst = append(dst, s...)
	if plainASCII(dst, start) {
		return dst, true
	}
	valid = utf8.Valid(dst[start:])
	if !valid || plainEnd(dst, start) < len(dst) {
		dst = appendEscaped(dst[:start], string(s))
	}
	return dst, valid
}

const hexDigits = "0123456789abcdef"

// appendEscaped appends a text with escapes.
func appendEscaped(dst []byte, s string) []byte {
	for _, r := range s { // a byte that is not UTF-8 is U+FFFD
		switch {
		case r == '"' || r == '\\':
			dst = append(dst, '\\', byte(r))
		case r < ' ':
			dst = append(dst, '\\', 'u', '0', '0', hexDigits[r>>4], hexDigits[r&15])
		default:
			dst = utf8.AppendRune(dst, r)
		}
	}
	return dst
}
