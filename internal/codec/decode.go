package codec

import (
	"encoding"
	"reflect"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// decode sets the value at p, which must be the zero value, from an attribute.
func (n *Node) decode(av AV, p Ptr, o Options) error {
	switch tv := av.(type) { // most attributes
	case *types.AttributeValueMemberS:
		switch {
		case n.Kind == KindString && n.Dec == 0:
			*as[string](p) = tv.Value
			return nil
		case n.Type == timeType:
			return n.decodeTime(tv, p)
		}
	case *types.AttributeValueMemberN:
		if n.Dec == 0 && setShort(n, tv.Value, p) {
			return nil
		}
	}
	if isNull(av) {
		return n.decodeNull(av, p)
	}
	n, p, dec := n.target(p)
	if dec != 0 {
		if done, err := n.decodeByMethod(av, p, dec); done || err != nil {
			return err
		}
	}
	switch n.Kind {
	case KindAny:
		return n.decodeAny(av, p, o)
	case KindRaw:
		return n.decodeRaw(av, p)
	}
	switch tv := av.(type) {
	case *types.AttributeValueMemberS:
		switch {
		case o.Has(AsString):
			return n.decodeNumber(av, tv.Value, p)
		case n.Kind == KindTime:
			return n.decodeTime(tv, p)
		case n.Kind == KindString || n.Kind == KindNumber:
			*as[string](p) = tv.Value
			return nil
		}
	case *types.AttributeValueMemberN:
		return n.decodeNumber(av, tv.Value, p)
	case *types.AttributeValueMemberBOOL:
		if n.Kind == KindBool {
			*as[bool](p) = tv.Value
			return nil
		}
	case *types.AttributeValueMemberB:
		return n.decodeBytes(tv, p)
	case *types.AttributeValueMemberM:
		switch n.Kind {
		case KindStruct:
			return n.Struct.decode(tv.Value, p)
		case KindMap:
			return n.decodeMap(tv.Value, p)
		}
	default:
		return n.decodeList(av, p)
	}
	return n.wrongType(av)
}

func (n *Node) wrongType(av AV) error { return n.newError(typeName(av), "wrong attribute type", nil) }

func isNull(av AV) bool {
	if av == nil {
		return true
	}
	_, null := av.(*types.AttributeValueMemberNULL)
	return null
}

// decodeNull sets the zero value, or calls the type's own UnmarshalDynamoDBAttributeValue. A
// pointer becomes nil without a method call. A types.AttributeValue becomes a NULL.
func (n *Node) decodeNull(av AV, p Ptr) error {
	if n.Dec&ViaAttribute != 0 && n.Kind != KindPtr {
		_, err := n.decodeByMethod(av, p, ViaAttribute)
		return err
	}
	if n.Kind == KindRaw && av != nil && n.Type == rawType {
		return n.decodeRaw(av, p)
	}
	p.setZero(n.Type)
	return nil
}

// target follows pointers to the value to set and allocates what they point to. dec is the set of
// methods that may decode that value.
func (n *Node) target(p Ptr) (*Node, Ptr, Via) {
	dec := n.Dec
	for n.Kind == KindPtr {
		dec = n.Dec
		n, p = n.Elem, p.alloc(n.Elem.Type)
	}
	return n, p, dec
}

// decodeByMethod calls the method of the type that decodes the attribute. The method gets a copy,
// which it may keep. done is false if no method accepts the attribute's type.
func (n *Node) decodeByMethod(av AV, p Ptr, dec Via) (done bool, err error) {
	switch tv := av.(type) {
	case *types.AttributeValueMemberS:
		if n.Type == timeType {
			return true, n.decodeTime(tv, p)
		}
		if dec&(ViaAttribute|ViaText) == ViaText {
			err = p.pointer(n.Type).(encoding.TextUnmarshaler).UnmarshalText([]byte(tv.Value))
			return true, n.methodError(WireOf(av), err)
		}
	case *types.AttributeValueMemberB:
		if dec&(ViaAttribute|ViaBinary) == ViaBinary {
			err = p.pointer(n.Type).(encoding.BinaryUnmarshaler).UnmarshalBinary(append([]byte{}, tv.Value...))
			return true, n.methodError(WireOf(av), err)
		}
	}
	if dec&ViaAttribute == 0 {
		return false, nil
	}
	err = p.pointer(n.Type).(attributevalue.Unmarshaler).UnmarshalDynamoDBAttributeValue(Clone(av))
	return true, n.methodError(WireOf(av), err)
}

// methodError returns the error of a type's own method that encoded or decoded a value, or nil.
func (n *Node) methodError(got Wire, err error) error {
	if err == nil {
		return nil
	}
	return n.newError(got.String(), "the type's own method failed", err)
}

// typeName returns the name of an attribute's type.
func typeName(av AV) string {
	switch w := WireOf(av); {
	case w != 0:
		return w.String()
	case av == nil:
		return WireNULL.String()
	default:
		return reflect.TypeOf(av).String()
	}
}
