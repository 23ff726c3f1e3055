package wire

import (
	"encoding/base64"

	"github.com/trestledb/trestle/ddbtest/internal/decimal"
	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// appendItem appends a map of attributes.
func appendItem(dst []byte, m value.Map) []byte {
	dst = append(dst, '{')
	for i := range m {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(appendContent(append(dst, '"'), m[i].Name), `":`...)
		dst = appendAttribute(dst, m[i].Value)
	}
	return append(dst, '}')
}

// appendAttribute appends an attribute value: an object with one member, whose name is the type.
func appendAttribute(dst []byte, v value.Value) []byte {
	switch v := v.(type) {
	case value.String:
		return append(appendContent(append(dst, `{"S":"`...), string(v)), `"}`...)
	case value.Number:
		return append(v.AppendTo(append(dst, `{"N":"`...)), `"}`...)
	case value.Binary:
		dst = appendBinary(append(dst, `{"B":`...), string(v))
	case value.Bool:
		if v {
			return append(dst, `{"BOOL":true}`...)
		}
		return append(dst, `{"BOOL":false}`...)
	case value.Null:
		return append(dst, `{"NULL":true}`...)
	case value.Map:
		dst = appendItem(append(dst, `{"M":`...), v)
	case value.List:
		dst = appendElements(append(dst, `{"L":`...), v, appendAttribute)
	case value.StringSet:
		dst = appendElements(append(dst, `{"SS":`...), v, appendText)
	case value.NumberSet:
		dst = appendElements(append(dst, `{"NS":`...), v, appendNumber)
	case value.BinarySet:
		dst = appendElements(append(dst, `{"BS":`...), v, appendBinary)
	}
	return append(dst, '}')
}

func appendElements[E any](dst []byte, elements []E, appendElement func([]byte, E) []byte) []byte {
	dst = append(dst, '[')
	for i, e := range elements {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendElement(dst, e)
	}
	return append(dst, ']')
}

func appendNumber(dst []byte, n decimal.Decimal) []byte {
	return append(n.AppendTo(append(dst, '"')), '"')
}

func appendBinary(dst []byte, b string) []byte {
	dst = append(dst, '"')
	dst = base64.StdEncoding.AppendEncode(dst, []byte(b))
	return append(dst, '"')
}
