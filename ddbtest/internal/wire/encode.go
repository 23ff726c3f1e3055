package wire

import (
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// Encode encodes a reply as JSON. The reply is a struct of package api or a pointer to one. Members
// that are nil, empty strings or false are omitted. Numbers, and lists and maps that are empty but
// not nil, are not omitted.
func Encode(reply any) []byte {
	v := structOf(reply)
	return encode(shapeOf(v.Type()), v)
}

// Encode is [Encode] for a pointer to a struct of that type.
func (t *Type) Encode(reply any) []byte { return encode(t.get(), reflect.ValueOf(reply).Elem()) }

func encode(s *shape, v reflect.Value) []byte {
	scratch, _ := scratches.Get().(*[]byte)
	made := appendStruct((*scratch)[:0], s, v)
	exact := make([]byte, len(made))
	copy(exact, made)
	if cap(made) <= largestScratch {
		*scratch = made
	}
	scratches.Put(scratch)
	return exact
}

// scratches are reusable buffers. Each encoded reply is copied at its exact length.
var scratches = sync.Pool{New: func() any { return new([]byte) }}

const largestScratch = 64 << 10

// Append appends the result of [Encode].
func Append(dst []byte, reply any) []byte {
	v := structOf(reply)
	return appendShape(dst, shapeOf(v.Type()), v)
}

// structOf returns the struct of a reply.
func structOf(reply any) reflect.Value { return reflect.Indirect(reflect.ValueOf(reply)) }

// appendShape appends a value. Replies have no expression attribute values.
func appendShape(dst []byte, s *shape, v reflect.Value) []byte {
	switch s.kind {
	case kindPointer:
		return appendShape(dst, s.elem, v.Elem())
	case kindText:
		return appendText(dst, v.String())
	case kindBool:
		return strconv.AppendBool(dst, v.Bool())
	case kindInteger:
		return strconv.AppendInt(dst, v.Int(), 10)
	case kindFloat:
		return appendFloat(dst, v.Float())
	case kindList:
		return appendList(dst, s, v)
	case kindMap:
		return appendMap(dst, s, v)
	case kindItem:
		return appendItem(dst, as[value.Map](v))
	case kindAttribute:
		return appendAttribute(dst, as[value.Value](v))
	case kindNames:
		return appendNames(dst, as[map[string]string](v))
	}
	return appendStruct(dst, s, v)
}

// as returns a value of a type that its shape has checked.
func as[T any](v reflect.Value) T {
	t, _ := reflect.TypeAssert[T](v)
	return t
}

func appendStruct(dst []byte, s *shape, v reflect.Value) []byte {
	dst = append(dst, '{')
	start := len(dst)
	for i := range s.fields {
		f := &s.fields[i]
		member := f.in(v)
		if s.unsupported&(1<<i) != 0 || absent(f.shape.kind, member) {
			continue
		}
		if len(dst) > start {
			dst = append(dst, ',')
		}
		dst = append(dst, f.prefix...)
		dst = appendShape(dst, f.shape, member)
	}
	return append(dst, '}')
}

// absent reports whether a member is omitted.
func absent(k kind, v reflect.Value) bool {
	switch k {
	case kindText:
		return v.Len() == 0
	case kindBool:
		return !v.Bool()
	case kindPointer, kindList, kindMap, kindItem, kindAttribute, kindPlaceholders, kindNames:
		return v.IsNil()
	}
	return false
}

func appendList(dst []byte, s *shape, v reflect.Value) []byte {
	dst = append(dst, '[')
	for i := range v.Len() {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendShape(dst, s.elem, v.Index(i))
	}
	return append(dst, ']')
}

// appendMap appends the entries in the order of their keys.
func appendMap(dst []byte, s *shape, v reflect.Value) []byte {
	keys := v.MapKeys()
	slices.SortFunc(keys, func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) })
	dst = append(dst, '{')
	for i, key := range keys {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(appendText(dst, key.String()), ':')
		dst = appendShape(dst, s.elem, v.MapIndex(key))
	}
	return append(dst, '}')
}

func appendNames(dst []byte, names map[string]string) []byte {
	dst = append(dst, '{')
	for i, placeholder := range slices.Sorted(maps.Keys(names)) {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(appendText(dst, placeholder), ':')
		dst = appendText(dst, names[placeholder])
	}
	return append(dst, '}')
}

// appendFloat appends a number as the service does: never with an exponent, and always with a
// fraction.
func appendFloat(dst []byte, f float64) []byte {
	start := len(dst)
	dst = strconv.AppendFloat(dst, f, 'f', -1, 64)
	if !slices.Contains(dst[start:], '.') {
		dst = append(dst, ".0"...)
	}
	return dst
}
