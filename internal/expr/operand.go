package expr

import (
	"reflect"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/fail"
	"github.com/trestledb/trestle/keys"
)

// operand gives a pointer to what *arg holds, as a value of the type that stands at the end of a path. Where no type is known, arg itself.
func operand(b *core.Bound, path *core.Path, arg any) (any, error) {
	if b.Leaf.Node == nil {
		return arg, nil
	}
	if fitting, ok := fit(arg, b.Leaf.Node.Type); ok {
		return fitting, nil
	}
	return nil, refuse(path.String(), "an operand of type "+operandType(arg)+" does not fit the type "+b.Leaf.Node.Type.String(), "")
}

// encode gives an operand as the place that it meets stores it; nil where Put would leave it out. The operand is of the place's type.
func encode(b *core.Bound, path *core.Path, arg any) (av types.AttributeValue, err error) {
	switch leaf := b.Leaf; {
	case leaf.Field != nil:
		av, err = leaf.Field.EncodeOperand(arg)
	case leaf.Node != nil:
		av, err = leaf.Node.EncodeOperand(arg)
	default:
		av, err = codec.EncodeAny(reflect.ValueOf(arg).Elem().Interface())
		if err == nil && av == nil {
			err = refuse("", "a value of type "+operandType(arg)+" is never stored", "")
		}
	}
	if err != nil {
		return nil, fail.Because(path.String(), err)
	}
	return av, nil
}

// encodeAlways is encode for what is only compared: a value that Put would leave out is encoded too.
func encodeAlways(b *core.Bound, path *core.Path, arg any) (types.AttributeValue, error) {
	arg, err := operand(b, path, arg)
	if err != nil {
		return nil, err
	}
	av, err := encode(b, path, arg)
	if err != nil || av != nil {
		return av, err
	}
	if av, err = b.Leaf.Node.EncodeOperand(arg); err != nil {
		return nil, fail.Because(path.String(), err)
	}
	if !wireOf(b.Leaf).Has(wire(av)) {
		return nil, refuse(path.String(), "the operand is a value that is never stored", "ask Exists or NotExists instead")
	}
	return av, nil
}

// key gives an operand as a member of a key.
func key(b *core.Bound, path *core.Path, arg any, op Op) (keys.Value, error) {
	if b.Field == nil || !b.Whole() {
		return keys.Value{}, refuse(path.String(), "cannot be a part of a key", "a key is made of whole fields")
	}
	arg, err := operand(b, path, arg)
	if err != nil {
		return keys.Value{}, err
	}
	take := b.Field.KeyOperand
	if op.ordered() { // what is only compared with need not be what Put stores
		take = b.Field.KeyBound
	}
	v, err := take(arg)
	if err != nil {
		return keys.Value{}, fail.Because(path.String(), err)
	}
	return v, nil
}

// wireOf tells which attribute types a place may hold.
func wireOf(leaf core.Leaf) codec.Wire {
	switch {
	case leaf.Field != nil:
		return leaf.Field.Wire()
	case leaf.Node != nil:
		return leaf.Node.Wire()
	default:
		return codec.WireAny
	}
}

// operandType names the type of an operand for a message.
func operandType(arg any) string {
	v := reflect.ValueOf(arg).Elem()
	if v.Kind() == reflect.Interface {
		if v.IsNil() {
			return "nil"
		}
		v = v.Elem()
	}
	return v.Type().String()
}
