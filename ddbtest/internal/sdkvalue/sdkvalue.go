// Package sdkvalue converts and checks the attribute values of the SDK.
package sdkvalue

import (
	"errors"
	"fmt"
	"iter"
	"maps"
	"reflect"
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/ddbtest/internal/decimal"
	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// Key converts the attributes of a key, which are of type S, N or B.
func Key(key map[string]types.AttributeValue) (value.Map, error) {
	attributes := make([]value.Attribute, 0, len(key))
	for name, v := range key {
		if isNil(v) {
			return nil, fmt.Errorf("%s: %w", name, errNil)
		}
		a := value.Attribute{Name: name}
		switch v := v.(type) {
		case *types.AttributeValueMemberS:
			a.Value = value.String(v.Value)
		case *types.AttributeValueMemberB:
			a.Value = value.Binary(v.Value)
		case *types.AttributeValueMemberN:
			n, err := decimal.Parse(v.Value)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
			a.Value = value.Number{Decimal: n}
		default:
			return nil, fmt.Errorf("%s: type of a key attribute is not S, N or B", name)
		}
		attributes = append(attributes, a)
	}
	return value.MapOf(attributes...), nil
}

// Kind returns the type of a value, or 0.
func Kind(v types.AttributeValue) value.Kind {
	switch v.(type) {
	case *types.AttributeValueMemberS:
		return value.KindString
	case *types.AttributeValueMemberN:
		return value.KindNumber
	case *types.AttributeValueMemberB:
		return value.KindBinary
	case *types.AttributeValueMemberBOOL:
		return value.KindBool
	case *types.AttributeValueMemberNULL:
		return value.KindNull
	case *types.AttributeValueMemberL:
		return value.KindList
	case *types.AttributeValueMemberM:
		return value.KindMap
	case *types.AttributeValueMemberSS:
		return value.KindStringSet
	case *types.AttributeValueMemberNS:
		return value.KindNumberSet
	case *types.AttributeValueMemberBS:
		return value.KindBinarySet
	default:
		return 0
	}
}

// maxDepth is the deepest nesting of values that the service allows.
const maxDepth = 32

var errNil = errors.New("value is nil")

func isNil(v types.AttributeValue) bool { return v == nil || reflect.ValueOf(v).IsNil() }

// Check returns an error if a value is invalid. The error text does not contain the value.
func Check(v types.AttributeValue) error { return check(v, 0) }

func check(v types.AttributeValue, depth int) error {
	if isNil(v) {
		return errNil
	}
	if depth > maxDepth {
		return fmt.Errorf("value is nested deeper than %d levels", maxDepth)
	}
	switch v := v.(type) {
	case *types.AttributeValueMemberN:
		return checkNumber(v.Value)
	case *types.AttributeValueMemberNS:
		return checkEach(slices.Values(v.Value), checkNumber)
	case *types.AttributeValueMemberSS:
		return checkDistinct(slices.Clone(v.Value))
	case *types.AttributeValueMemberBS:
		members := make([]string, len(v.Value))
		for i, b := range v.Value {
			members[i] = string(b)
		}
		return checkDistinct(members)
	case *types.AttributeValueMemberL:
		return checkEach(slices.Values(v.Value), func(e types.AttributeValue) error { return check(e, depth+1) })
	case *types.AttributeValueMemberM:
		return checkEach(maps.Values(v.Value), func(e types.AttributeValue) error { return check(e, depth+1) })
	default:
		return nil
	}
}

func checkNumber(text string) error {
	if _, err := decimal.Parse(text); err != nil {
		return fmt.Errorf("number: %w", err)
	}
	return nil
}

// checkDistinct returns an error if a member of a set appears twice. It sorts the members.
func checkDistinct(members []string) error {
	slices.Sort(members)
	if n := len(members); len(slices.Compact(members)) < n {
		return errors.New("a member of the set appears twice")
	}
	return nil
}

// checkEach returns the first error.
func checkEach[V any](values iter.Seq[V], check func(V) error) error {
	for v := range values {
		if err := check(v); err != nil {
			return err
		}
	}
	return nil
}

// Attributes converts an item to the SDK's types.
func Attributes(m value.Map) map[string]types.AttributeValue {
	item := make(map[string]types.AttributeValue, len(m))
	for _, a := range m {
		item[a.Name] = attribute(a.Value)
	}
	return item
}

func attribute(v value.Value) types.AttributeValue {
	switch v := v.(type) {
	case value.String:
		return &types.AttributeValueMemberS{Value: string(v)}
	case value.Number:
		return &types.AttributeValueMemberN{Value: v.String()}
	case value.Binary:
		return &types.AttributeValueMemberB{Value: []byte(v)}
	case value.Bool:
		return &types.AttributeValueMemberBOOL{Value: bool(v)}
	case value.List:
		list := make([]types.AttributeValue, len(v))
		for i, e := range v {
			list[i] = attribute(e)
		}
		return &types.AttributeValueMemberL{Value: list}
	case value.Map:
		return &types.AttributeValueMemberM{Value: Attributes(v)}
	case value.StringSet:
		return &types.AttributeValueMemberSS{Value: append([]string(nil), v...)}
	case value.NumberSet:
		numbers := make([]string, len(v))
		for i, n := range v {
			numbers[i] = n.String()
		}
		return &types.AttributeValueMemberNS{Value: numbers}
	case value.BinarySet:
		members := make([][]byte, len(v))
		for i, b := range v {
			members[i] = []byte(b)
		}
		return &types.AttributeValueMemberBS{Value: members}
	default:
		return &types.AttributeValueMemberNULL{Value: true}
	}
}
