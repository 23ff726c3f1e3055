package codec

import (
	"reflect"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// decodeList sets a slice or an array from a list or a set. Elements beyond an array's length are
// dropped.
func (n *Node) decodeList(av AV, p Ptr) error {
	if n.Elem == nil || n.Kind == KindMap {
		return n.wrongType(av)
	}
	switch tv := av.(type) {
	case *types.AttributeValueMemberL:
		if n.texts && decodeTexts(tv.Value, p) {
			return nil
		}
		return decodeElems(n, p, tv.Value, func(av AV) AV { return av })
	case *types.AttributeValueMemberSS:
		if n.texts {
			*as[[]string](p) = append(make([]string, 0, len(tv.Value)), tv.Value...)
			return nil
		}
		return decodeElems(n, p, tv.Value, textValue)
	case *types.AttributeValueMemberNS:
		return decodeElems(n, p, tv.Value, numberValue)
	case *types.AttributeValueMemberBS:
		return decodeElems(n, p, tv.Value, func(b []byte) AV { return &types.AttributeValueMemberB{Value: b} })
	default:
		return n.wrongType(av)
	}
}

// decodeTexts sets a []string. It returns false if an element is not an S.
func decodeTexts(elems []AV, p Ptr) bool {
	texts := make([]string, len(elems))
	for i, av := range elems {
		s, ok := av.(*types.AttributeValueMemberS)
		if !ok {
			return false
		}
		texts[i] = s.Value
	}
	*as[[]string](p) = texts
	return true
}

// decodeTextMap sets a map[string]string. It returns false if an element is not an S.
func (n *Node) decodeTextMap(m Item, p Ptr) bool {
	texts := make(map[string]string, len(m))
	for name, av := range m {
		s, ok := av.(*types.AttributeValueMemberS)
		if !ok {
			return false
		}
		texts[name] = s.Value
	}
	*as[map[string]string](p) = texts
	return true
}

func textValue(s string) AV   { return &types.AttributeValueMemberS{Value: s} }
func numberValue(s string) AV { return &types.AttributeValueMemberN{Value: s} }

func decodeElems[E any](n *Node, p Ptr, elems []E, value func(E) AV) error {
	length := len(elems)
	switch {
	case n.texts: // the most common
		*as[[]string](p) = make([]string, length)
	case n.Kind == KindList || n.Kind == KindBytes:
		n.makeSlice(p, length)
	default:
		length = min(length, n.Len)
	}
	for i, elem := range elems[:length] {
		if err := n.Elem.decode(value(elem), p.index(n, i), plain); err != nil {
			return prependPath(indexStep(i), err)
		}
	}
	return nil
}

// makeSlice sets a new slice of zero values.
func (n *Node) makeSlice(p Ptr, length int) {
	p.value(n.Type).Set(reflect.MakeSlice(n.Type, length, length))
}

func (n *Node) decodeMap(m Item, p Ptr) error {
	if n.texts && n.decodeTextMap(m, p) {
		return nil
	}
	into := reflect.MakeMapWithSize(n.Type, len(m))
	key, elem := reflect.New(n.Type.Key()).Elem(), reflect.New(n.Elem.Type).Elem()
	at := PtrOf(elem)
	for name, av := range m {
		key.SetZero()
		if err := n.Key.decode(name, key); err != nil {
			return n.newError("M", "a name in the map is not a valid key of the type", err)
		}
		elem.SetZero()
		if err := n.Elem.decode(av, at, plain); err != nil {
			return prependPath("[*]", err)
		}
		into.SetMapIndex(key, elem)
	}
	p.value(n.Type).Set(into)
	return nil
}

// decodeAny sets an interface from an attribute of any type.
func (n *Node) decodeAny(av AV, p Ptr, o Options) error {
	if n.hasMethods {
		return n.newError(typeName(av), "an interface with methods can only be decoded from NULL", nil)
	}
	v, err := dynamicValue(av, o)
	if err != nil {
		return n.newError(typeName(av), "the attribute or an element of it cannot be decoded", err)
	}
	p.value(n.Type).Set(reflect.ValueOf(v))
	return nil
}
