package codec

import (
	"errors"
	"reflect"
	"strconv"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

var errUnknownType = errors.New("unknown attribute type")

// EncodeAny encodes a value by its dynamic type. nil is encoded as NULL, and an attribute value is
// copied unchanged. EncodeAny returns nil for a type that is never stored, such as a func.
func EncodeAny(v any) (AV, error) {
	return (&encoder{}).encodeDynamic(reflect.ValueOf(&v).Elem(), plain)
}

// dynamicValue converts an attribute to plain Go types: string, float64, bool, []byte,
// map[string]any, []any, and slices for sets.
func dynamicValue(av AV) (any, error) {
	switch tv := av.(type) {
	case nil, *types.AttributeValueMemberNULL:
		return nil, nil
	case *types.AttributeValueMemberS:
		return tv.Value, nil
	case *types.AttributeValueMemberN:
		return strconv.ParseFloat(tv.Value, 64)
	case *types.AttributeValueMemberBOOL:
		return tv.Value, nil
	case *types.AttributeValueMemberB:
		return append([]byte{}, tv.Value...), nil
	case *types.AttributeValueMemberSS:
		return append([]string{}, tv.Value...), nil
	case *types.AttributeValueMemberNS:
		return dynamicElems(tv.Value, func(s string) (float64, error) { return strconv.ParseFloat(s, 64) })
	case *types.AttributeValueMemberBS:
		return dynamicElems(tv.Value, func(b []byte) ([]byte, error) { return append([]byte{}, b...), nil })
	case *types.AttributeValueMemberL:
		return dynamicElems(tv.Value, dynamicValue)
	case *types.AttributeValueMemberM:
		m := make(map[string]any, len(tv.Value))
		for name, av := range tv.Value {
			v, err := dynamicValue(av)
			if err != nil {
				return nil, err
			}
			m[name] = v
		}
		return m, nil
	default:
		return nil, errUnknownType
	}
}

func dynamicElems[E, V any](elems []E, value func(E) (V, error)) ([]V, error) {
	values := make([]V, len(elems))
	for i, elem := range elems {
		v, err := value(elem)
		if err != nil {
			return nil, err
		}
		values[i] = v
	}
	return values, nil
}
