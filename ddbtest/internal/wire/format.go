package wire

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// maxFormatted limits the bytes of a request that an error message repeats. The last member may
// exceed it.
const maxFormatted = 4096

// shorten truncates a string for an error message.
func shorten(text string) string {
	if len(text) <= maxFormatted {
		return text
	}
	return strings.ToValidUTF8(text[:maxFormatted], "") + "..."
}

// formatValue formats a part of a request as the service's messages do: as Java prints objects.
func formatValue(v reflect.Value) string {
	var e valueFormatter
	e.value(v)
	return e.String()
}

// valueFormatter formats a value, and stops at [maxFormatted] bytes.
type valueFormatter struct{ strings.Builder }

func (e *valueFormatter) full() bool { return e.Len() >= maxFormatted }

func (e *valueFormatter) value(v reflect.Value) {
	switch v.Kind() {
	case reflect.Interface:
		content, _ := v.Interface().(value.Value)
		e.attribute(content)
	case reflect.Pointer:
		if v.IsNil() {
			e.WriteString("null")
			return
		}
		e.value(v.Elem())
	case reflect.Slice:
		if item, ok := v.Interface().(value.Map); ok {
			e.item(item)
			return
		}
		e.list(v.Len(), func(i int) { e.value(v.Index(i)) })
	case reflect.Map:
		e.mapping(v)
	case reflect.Struct:
		e.structure(v)
	case reflect.String:
		e.WriteString(shorten(v.String()))
	default:
		fmt.Fprint(e, v.Interface())
	}
}

// list writes n elements in brackets.
func (e *valueFormatter) list(n int, element func(i int)) {
	e.between("[", "]", n, element)
}

// between writes up to n parts between begin and end, and stops at [maxFormatted] bytes.
func (e *valueFormatter) between(begin, end string, n int, part func(i int)) {
	e.WriteString(begin)
	for i := range n {
		if i > 0 {
			e.WriteString(", ")
		}
		if e.full() {
			e.WriteString("...")
			break
		}
		part(i)
	}
	e.WriteString(end)
}

func (e *valueFormatter) mapping(v reflect.Value) {
	keys := v.MapKeys()
	slices.SortFunc(keys, func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) })
	e.between("{", "}", len(keys), func(i int) {
		e.WriteString(shorten(keys[i].String()) + "=")
		e.value(v.MapIndex(keys[i]))
	})
}

func (e *valueFormatter) structure(v reflect.Value) {
	fields := slices.DeleteFunc(slices.Clone(shapeOf(v.Type()).fields), func(f field) bool { return f.limits.unsupported != nil })
	e.between(v.Type().Name()+"(", ")", len(fields), func(i int) {
		f := &fields[i]
		e.WriteString(f.path + "=")
		if member := f.in(v); absent(f.shape.kind, member) {
			e.WriteString("null")
		} else {
			e.value(member)
		}
	})
}

func (e *valueFormatter) item(m value.Map) {
	e.between("{", "}", len(m), func(i int) {
		e.WriteString(shorten(m[i].Name) + "=")
		e.attribute(m[i].Value)
	})
}

// attributeMembers are the members of an attribute value in the service's order, as messages spell
// them.
var attributeMembers = [...]struct {
	kind value.Kind
	name string
}{
	{value.KindString, "s"}, {value.KindNumber, "n"}, {value.KindBinary, "b"}, {value.KindStringSet, "sS"}, {value.KindNumberSet, "nS"},
	{value.KindBinarySet, "bS"}, {value.KindMap, "m"}, {value.KindList, "l"}, {value.KindNull, "nULL"}, {value.KindBool, "bOOL"},
}

func (e *valueFormatter) attribute(v value.Value) {
	e.between("AttributeValue(", ")", len(attributeMembers), func(i int) {
		e.WriteString(attributeMembers[i].name + "=")
		if v == nil || v.Kind() != attributeMembers[i].kind {
			e.WriteString("null")
		} else {
			e.content(v)
		}
	})
}

func (e *valueFormatter) content(v value.Value) {
	switch v := v.(type) {
	case value.String:
		e.WriteString(shorten(string(v)))
	case value.Number:
		e.WriteString(v.String())
	case value.Bool:
		fmt.Fprint(e, bool(v))
	case value.Null:
		e.WriteString("true")
	case value.Map:
		e.item(v)
	case value.List:
		e.list(len(v), func(i int) { e.attribute(v[i]) })
	case value.StringSet:
		e.list(len(v), func(i int) { e.WriteString(shorten(v[i])) })
	case value.NumberSet:
		e.list(len(v), func(i int) { e.WriteString(v[i].String()) })
	case value.Binary:
		e.buffer(len(v))
	case value.BinarySet:
		e.list(len(v), func(i int) { e.buffer(len(v[i])) })
	}
}

// buffer writes the Java representation of n bytes.
func (e *valueFormatter) buffer(n int) {
	fmt.Fprintf(e, "java.nio.HeapByteBuffer[pos=0 lim=%d cap=%d]", n, n)
}
