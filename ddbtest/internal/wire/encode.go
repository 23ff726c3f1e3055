package wire

import (
	"bytes"
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
	scratch, _ := scratches.Get().(*[]byte)
	made := Append((*scratch)[:0], reply)
	exact := bytes.Clone(made)
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
	v := reflect.ValueOf(reply)
	if v.Kind() == reflect.Pointer {
		v = v.Elem()
	} else {
		v = addressable(v)
	}
	return appendShape(dst, shapeOf(v.Type()), v)
}

// addressable returns a copy on which [reflect.Value.Addr] works.
func addressable(v reflect.Value) reflect.Value {
	p := reflect.New(v.Type())
	p.Elem().Set(v)
	return p.Elem()
}

// appendShape appends an addressable value. Replies have no expression attribute values.
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
		return appendItem(dst, *v.Addr().Interface().(*value.Map))
	case kindAttribute:
		return appendAttribute(dst, *v.Addr().Interface().(*value.Value))
	case kindNames:
		return appendNames(dst, *v.Addr().Interface().(*map[string]string))
	}
	return appendStruct(dst, s, v)
}

func appendStruct(dst []byte, s *shape, v reflect.Value) []byte {
	dst = append(dst, '{')
	start := len(dst)
	for i := range s.fields {
		f := &s.fields[i]
		member := f.in(v)
		if f.limits.unsupported != nil || absent(f.shape.kind, member) {
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
		dst = appendShape(dst, s.elem, addressable(v.MapIndex(key)))
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
