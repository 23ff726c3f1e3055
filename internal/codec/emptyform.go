package codec

import (
	"reflect"
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// hasEmptyForm reports whether the type is a slice or a map with a form of its own. That form of
// the empty value may be read as nil, as net.IP reads "".
func (n *Node) hasEmptyForm() bool {
	return n.Enc != 0 && (n.Kind == KindBytes || n.Kind == KindList || n.Kind == KindMap)
}

// readAsNil reports whether a value is empty and its form would be read as nil. It is then stored
// as nil is.
func (n *Node) readAsNil(p Ptr) bool {
	if !n.hasEmptyForm() || p.value(n.Type).Len() > 0 {
		return false
	}
	back := reflect.New(n.Type).Elem()
	av, err := (&encoder{}).encodeByMethod(n, p)
	return err == nil && av != nil && n.decode(av, PtrOf(back), plain) == nil && back.IsNil()
}

// EmptyForms returns the forms of an empty value, of the type or of the one it points to, that the
// field reads as an absent part of a key, or as nil. Other programs store them.
func (f *Field) EmptyForms() []AV {
	base := f.Node.Base()
	if !base.hasEmptyForm() || f.asKey != nil {
		return nil
	}
	var forms []AV
	v := reflect.New(base.Type).Elem()
	switch base.Kind {
	case KindMap:
		v.Set(reflect.MakeMap(base.Type))
		forms = []AV{&types.AttributeValueMemberM{Value: Item{}}}
	case KindList:
		v.Set(reflect.MakeSlice(base.Type, 0, 0))
		forms = []AV{&types.AttributeValueMemberL{Value: []AV{}}}
	default:
		v.Set(reflect.MakeSlice(base.Type, 0, 0))
		forms = []AV{&types.AttributeValueMemberB{Value: []byte{}}}
	}
	if base.Dec&ViaAttribute != 0 { // it need not read any other form
		forms = nil
	}
	if av, err := (&encoder{}).encodeByMethod(base, PtrOf(v)); err == nil && av != nil {
		forms = append(forms, av)
	}
	return slices.DeleteFunc(forms, func(av AV) bool {
		at := PtrOf(reflect.New(f.Node.Type).Elem())
		return f.Node.decode(av, at, f.Options) != nil || !f.absent(at)
	})
}
