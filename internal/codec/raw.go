package codec

import (
	"reflect"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/itemjson"
)

// Clone returns a deep copy of an attribute value. It returns a value of an unknown type unchanged.
func Clone(av AV) AV {
	switch tv := av.(type) {
	case *types.AttributeValueMemberS:
		return &types.AttributeValueMemberS{Value: tv.Value}
	case *types.AttributeValueMemberN:
		return &types.AttributeValueMemberN{Value: tv.Value}
	case *types.AttributeValueMemberBOOL:
		return &types.AttributeValueMemberBOOL{Value: tv.Value}
	case *types.AttributeValueMemberNULL:
		return &types.AttributeValueMemberNULL{Value: tv.Value}
	case *types.AttributeValueMemberB:
		return &types.AttributeValueMemberB{Value: cloneBytes(tv.Value)}
	case *types.AttributeValueMemberSS:
		return &types.AttributeValueMemberSS{Value: append([]string{}, tv.Value...)}
	case *types.AttributeValueMemberNS:
		return &types.AttributeValueMemberNS{Value: append([]string{}, tv.Value...)}
	case *types.AttributeValueMemberBS:
		c := make([][]byte, len(tv.Value))
		for i, b := range tv.Value {
			c[i] = cloneBytes(b)
		}
		return &types.AttributeValueMemberBS{Value: c}
	case *types.AttributeValueMemberL:
		c := make([]AV, len(tv.Value))
		for i, av := range tv.Value {
			c[i] = Clone(av)
		}
		return &types.AttributeValueMemberL{Value: c}
	case *types.AttributeValueMemberM:
		c := make(Item, len(tv.Value))
		for name, av := range tv.Value {
			c[name] = Clone(av)
		}
		return &types.AttributeValueMemberM{Value: c}
	default:
		return av
	}
}

func cloneBytes(b []byte) []byte { return append([]byte{}, b...) }

// rawValue copies the attribute value in v. A value that DynamoDB would refuse is an error.
func (n *Node) rawValue(v reflect.Value, o Options) (AV, error) {
	av, ok := v.Interface().(AV)
	if !ok || v.IsNil() {
		return nothing(o), nil
	}
	if err := n.checkRaw(av, 0); err != nil {
		return nil, err
	}
	return Clone(av), nil
}

// raw stores the value at index i as an attribute value. n.Type is AV, or the SDK type of this one
// attribute type.
func (d *decoder) raw(n *Node, i int, p Ptr) error {
	if t := d.Values[i].Type; t == 0 || t == itemjson.NULL && n.Type != rawType {
		return nil
	}
	v := reflect.ValueOf(d.Attribute(i))
	if !v.Type().AssignableTo(n.Type) {
		return d.wrongType(n, i)
	}
	p.value(n.Type).Set(v)
	return nil
}
