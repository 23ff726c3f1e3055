package expr

import (
	"reflect"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/keys"
)

// convertOperand returns a pointer to the value of *arg, converted to the type at the end of the
// path. It returns arg if that type is unknown.
func convertOperand(b *core.BoundPath, path *core.Path, arg any) (any, error) {
	if b.Leaf.Node == nil {
		return arg, nil
	}
	if fitting, ok := convert(arg, b.Leaf.Node.Type); ok {
		return fitting, nil
	}
	return nil, invalid(path.String(), "an operand of type "+goType(arg)+" does not fit the type "+b.Leaf.Node.Type.String(), "")
}

// encodeStored encodes an operand as the place stores it. It returns nil if Put would omit the
// operand. The operand must have the place's type.
func encodeStored(b *core.BoundPath, path *core.Path, arg any) (av types.AttributeValue, err error) {
	switch leaf := b.Leaf; {
	case leaf.Field != nil:
		av, err = leaf.Field.EncodeOperand(arg)
	case leaf.Node != nil && optional(b):
		av, err = leaf.Node.EncodeInMap(arg)
	case leaf.Node != nil:
		av, err = leaf.Node.EncodeOperand(arg)
	case b.Whole() && isNothing(b, arg):
	default:
		av, err = codec.EncodeAny(reflect.ValueOf(arg).Elem().Interface())
		if err == nil && av == nil {
			err = invalid("", "a value of type "+goType(arg)+" is never stored", "")
		}
	}
	if err != nil {
		return nil, errs.Wrap(path.String(), err)
	}
	return av, nil
}

// encodeOperand is encode for comparisons: it also encodes a value that Put would omit.
func encodeOperand(b *core.BoundPath, path *core.Path, arg any) (types.AttributeValue, error) {
	arg, err := convertOperand(b, path, arg)
	if err != nil {
		return nil, err
	}
	av, err := encodeStored(b, path, arg)
	switch {
	case err != nil || av != nil:
		return av, err
	case isNothing(b, arg):
		return nullValue(), nil
	}
	if av, err = b.Leaf.Node.EncodeOperand(arg); err != nil {
		return nil, errs.Wrap(path.String(), err)
	}
	if !storedTypes(b.Leaf).Has(codec.WireOf(av)) {
		return nil, invalid(path.String(), "the operand is a value that is never stored", "use Exists or NotExists instead")
	}
	return av, nil
}

// keyOperand returns an operand as a member of a key.
func keyOperand(b *core.BoundPath, path *core.Path, arg any, op Op) (keys.Value, error) {
	if b.Field == nil || !b.Whole() {
		return keys.Value{}, invalid(path.String(), "cannot be a part of a key", "keys are rendered from whole fields")
	}
	arg, err := convertOperand(b, path, arg)
	if err != nil {
		return keys.Value{}, err
	}
	v, err := b.Field.KeyOperand(arg, op.ordered()) // a bound need not be a value that Put stores
	if err != nil {
		return keys.Value{}, errs.Wrap(path.String(), err)
	}
	return v, nil
}

// storedTypes returns the attribute types that a place may have.
func storedTypes(leaf core.Leaf) codec.Wire {
	switch {
	case leaf.Field != nil:
		return leaf.Field.Wire()
	case leaf.Node != nil:
		return leaf.Node.Wire()
	default:
		return codec.WireAny
	}
}

// goType returns the type of an operand, for error texts.
func goType(arg any) string {
	v := reflect.ValueOf(arg).Elem()
	if v.Kind() == reflect.Interface {
		if v.IsNil() {
			return "nil"
		}
		v = v.Elem()
	}
	return v.Type().String()
}
