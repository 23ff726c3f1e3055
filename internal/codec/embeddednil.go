package codec

import (
	"encoding"
	"fmt"
	"reflect"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// nilForm returns the fault of a struct type that embeds a pointer or an interface and whose
// methods panic where that is nil, as in the zero value. A promoted method does: it is called on
// nil, also to read a value. The methods are called with samples. A panic that has another reason
// is no fault: it also occurs where the pointer is not nil.
func (n *Node) nilForm() fault {
	n = n.Base()
	if n.Kind != KindStruct {
		return fault{}
	}
	embedded := nilEmbedded(n.Type, reflect.TypeFor[any]())
	if embedded == nil {
		return fault{}
	}
	for i, call := range n.formCalls() {
		zero, set := reflect.New(n.Type).Elem(), reflect.New(n.Type).Elem()
		if !panics(call, zero) || setPointers(set, fillDepth) && panics(call, set) {
			continue
		}
		return fault{
			fmt.Sprintf("the methods of %s panic where the embedded %s is nil", n.Type, embedded),
			fmt.Sprintf("name the field of type %s, or embed no pointer and no interface", embedded),
			n.Enc != 0 && i == 0,
		}
	}
	return fault{}
}

// formCalls returns calls of the methods that encode and decode the type. The first one encodes.
func (n *Node) formCalls() []func(reflect.Value) {
	calls := []func(reflect.Value){func(v reflect.Value) { _, _ = (&encoder{}).encodeValue(n, PtrOf(v), plain) }}
	if n.hasIsZero {
		calls = append(calls, func(v reflect.Value) { v.Addr().Interface().(zeroer).IsZero() })
	}
	if n.textual || n.timeText { // in keys
		calls = append(calls, func(v reflect.Value) { _, _ = v.Addr().Interface().(encoding.TextMarshaler).MarshalText() })
	}
	stored := []AV{null(), &types.AttributeValueMemberN{Value: "1"}, &types.AttributeValueMemberBOOL{Value: true}, &types.AttributeValueMemberM{}, &types.AttributeValueMemberL{}}
	for _, text := range samples {
		stored = append(stored, &types.AttributeValueMemberS{Value: text}, &types.AttributeValueMemberB{Value: []byte(text)})
	}
	for _, av := range stored {
		calls = append(calls, func(v reflect.Value) { _ = n.decode(av, PtrOf(v), plain) })
	}
	return calls
}

func panics(call func(reflect.Value), v reflect.Value) (yes bool) {
	defer func() { yes = recover() != nil }()
	call(v)
	return false
}

// nilEmbedded returns the type of a pointer or an interface with a method that a struct embeds,
// directly or in an embedded struct. It returns nil if there is none.
func nilEmbedded(t, method reflect.Type) reflect.Type {
	for i := range t.NumField() {
		sf := t.Field(i)
		switch kind := sf.Type.Kind(); {
		case !sf.Anonymous:
		case (kind == reflect.Pointer || kind == reflect.Interface) && sf.Type.NumMethod() > 0 && sf.Type.Implements(method):
			return sf.Type
		case kind == reflect.Struct:
			if embedded := nilEmbedded(sf.Type, method); embedded != nil {
				return embedded
			}
		}
	}
	return nil
}

// onNil reports whether a method of a struct type may be that of a pointer that it embeds, which
// may be nil. It is not called if the type's values are stored in another form.
func onNil(t, method reflect.Type) bool {
	return t.Kind() == reflect.Struct && nilEmbedded(t, method) != nil
}

// setPointers sets the pointers that a struct embeds. It returns false if it cannot set one, or an
// interface.
func setPointers(v reflect.Value, depth int) bool {
	for i := range v.NumField() {
		f := v.Field(i)
		if !v.Type().Field(i).Anonymous || depth == 0 {
			continue
		}
		if f.Kind() == reflect.Pointer && f.CanSet() {
			f.Set(reflect.New(f.Type().Elem()))
			f = f.Elem()
		}
		switch f.Kind() {
		case reflect.Pointer, reflect.Interface:
			return false
		case reflect.Struct:
			if !setPointers(f, depth-1) {
				return false
			}
		}
	}
	return true
}
