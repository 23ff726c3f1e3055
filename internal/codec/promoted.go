package codec

import (
	"encoding"
	"fmt"
	"reflect"
	"slices"
)

// embeddedForm returns the fault of a struct type that is stored in the form of a type that it
// embeds, because that type's method is promoted. Its other fields would be lost. A promoted method
// looks like one of the type's own. So sample values are encoded and decoded: a type that keeps
// another field has its own method. A type that accepts no sample has no fault, unless it has no
// name: then, all its methods are promoted.
func (n *Node) embeddedForm(method reflect.Type) fault {
	n = n.Base()
	if n.Kind != KindStruct {
		return fault{}
	}
	for i := range n.Type.NumField() {
		sf := n.Type.Field(i)
		if !sf.Anonymous || !sf.Type.Implements(method) && !reflect.PointerTo(sf.Type).Implements(method) {
			continue
		}
		others := slices.DeleteFunc(slices.Clone(n.Struct.fields), func(f *Field) bool { return f.Index[0] == i })
		if len(others) == 0 {
			return fault{}
		}
		lost := n.Type.Name() == ""
		for _, text := range samples {
			kept, known := n.keeps(i, others, text)
			if kept {
				return fault{}
			}
			lost = lost || known
		}
		if !lost {
			return fault{}
		}
		return fault{
			fmt.Sprintf("%s has the methods of the embedded %s, so its field %s would be lost", n.Type, sf.Type, others[0].GoName),
			fmt.Sprintf("embed no type with methods of its own: name the field of type %s", sf.Type), true,
		}
	}
	return fault{}
}

// samples are texts of the usual types with a text form: numbers, addresses, times, ids and codes.
var samples = []string{
	"1", "192.0.2.1", "2001-02-03T04:05:06Z", "2001-02-03", "00000000-0000-4000-8000-000000000001", "a", "en", "USD", "true", "1h0m0s",
}

// keeps reports whether a field except the embedded one is still there after a value was encoded
// and decoded. known is false if the type's methods fail or panic on the value.
func (n *Node) keeps(embedded int, others []*Field, text string) (kept, known bool) {
	defer func() {
		if recover() != nil {
			kept, known = false, false
		}
	}()
	v, alone, back := reflect.New(n.Type).Elem(), reflect.New(n.Type).Elem(), reflect.New(n.Type).Elem()
	fill(v.Field(embedded), text, fillDepth)
	fill(alone.Field(embedded), text, fillDepth)
	for _, f := range others {
		fill(f.allocate(PtrOf(v)).value(f.Node.Type), text, fillDepth)
	}
	av, err := (&encoder{}).encodeValue(n, PtrOf(v), plain)
	if err != nil {
		return false, false
	}
	if without, err := (&encoder{}).encodeValue(n, PtrOf(alone), plain); err == nil && reflect.DeepEqual(av, without) {
		return false, true
	}
	if n.decode(av, PtrOf(back), plain) != nil {
		return false, false
	}
	return slices.ContainsFunc(others, func(f *Field) bool { return !f.IsZero(PtrOf(back)) }), true
}

// fillDepth is how deep fill follows pointers and elements.
const fillDepth = 3

// fill sets a value that is not zero, if it can be set: from the text, if the type reads texts.
func fill(v reflect.Value, text string, depth int) {
	if depth == 0 || !v.CanSet() {
		return
	}
	if u, ok := v.Addr().Interface().(encoding.TextUnmarshaler); ok && u.UnmarshalText([]byte(text)) == nil {
		return
	}
	switch t := v.Type(); t.Kind() {
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(1)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(1)
	case reflect.Float32, reflect.Float64:
		v.SetFloat(1)
	case reflect.String:
		v.SetString(text)
	case reflect.Pointer:
		v.Set(reflect.New(t.Elem()))
		fill(v.Elem(), text, depth-1) // type P *P never ends
	case reflect.Slice:
		v.Set(reflect.MakeSlice(t, 1, 1))
		fill(v.Index(0), text, depth-1)
	case reflect.Map:
		key, elem := reflect.New(t.Key()).Elem(), reflect.New(t.Elem()).Elem()
		fill(key, text, depth-1)
		fill(elem, text, depth-1)
		v.Set(reflect.MakeMap(t))
		v.SetMapIndex(key, elem)
	case reflect.Array:
		for i := range v.Len() {
			fill(v.Index(i), text, depth-1)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i), text, depth-1)
		}
	case reflect.Interface:
		if t.NumMethod() == 0 {
			v.Set(reflect.ValueOf(text))
		}
	}
}
