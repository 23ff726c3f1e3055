package wire_test

import (
	"math/rand/v2"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	streamtypes "github.com/aws/aws-sdk-go-v2/service/dynamodbstreams/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// filler makes structs of package api with every member set, within the constraints of their tags.
type filler struct{ *rand.Rand }

func (f filler) random(t reflect.Type) reflect.Value {
	v := reflect.New(t).Elem()
	f.fill(v, "")
	return v
}

func (f filler) fill(v reflect.Value, tag string) {
	switch v.Type() {
	case reflect.TypeFor[value.Map]():
		v.Set(reflect.ValueOf(randomMap(f.Rand, 4)))
		return
	case reflect.TypeFor[value.Value]():
		v.Set(reflect.ValueOf(randomValue(f.Rand, 4)))
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(f.text(tag))
	case reflect.Bool:
		v.SetBool(f.IntN(2) == 0)
	case reflect.Int, reflect.Int64:
		v.SetInt(1 + f.Int64N(25)) // no constraint allows less
	case reflect.Float64:
		v.SetFloat(float64(f.Int64N(1<<34)) / 8)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		f.fill(v.Elem(), tag)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		f.fill(v.Index(0), "")
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		for _, key := range []string{"abc", "another_table-1.0"} {
			elem := reflect.New(v.Type().Elem()).Elem()
			f.fill(elem, "")
			v.SetMapIndex(reflect.ValueOf(key), elem)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if tag := v.Type().Field(i).Tag.Get("api"); !strings.HasPrefix(tag, "unsupported=") {
				f.fill(v.Field(i), tag)
			}
		}
	}
}

func (f filler) text(tag string) string {
	for part := range strings.SplitSeq(tag, ",") {
		key, argument, _ := strings.Cut(part, "=")
		switch key {
		case "enum":
			options := strings.Split(argument, "|")
			return options[f.IntN(len(options))]
		case "name", "table":
			return "orders"
		case "min":
			if least, _ := strconv.Atoi(argument); least > 0 {
				return strings.Repeat("x", least)
			}
		}
	}
	return "x" + randomText(f.Rand)
}

// toSDK sets a value of the SDK from the same value of package api. The SDK has every member, with
// a similar type.
func toSDK(t *testing.T, from, to reflect.Value) {
	switch from.Type() {
	case reflect.TypeFor[value.Map]():
		to.Set(reflect.ValueOf(itemForSDK(from.Interface().(value.Map), to.Type())))
		return
	case reflect.TypeFor[value.Value]():
		to.Set(reflect.ValueOf(attributeForSDK(from.Interface().(value.Value))))
		return
	}
	if from.Kind() == reflect.Bool && !from.Bool() {
		return // equivalent to absent
	}
	if to.Kind() == reflect.Pointer {
		to.Set(reflect.New(to.Type().Elem()))
		to = to.Elem()
	}
	if from.Kind() == reflect.Pointer {
		from = from.Elem()
	}
	if moment, ok := to.Addr().Interface().(*time.Time); ok {
		*moment = time.UnixMilli(int64(from.Float() * 1000)).UTC()
		return
	}
	switch from.Kind() {
	case reflect.Slice:
		to.Set(reflect.MakeSlice(to.Type(), from.Len(), from.Len()))
		for i := range from.Len() {
			toSDK(t, from.Index(i), to.Index(i))
		}
	case reflect.Map:
		to.Set(reflect.MakeMap(to.Type()))
		for entries := from.MapRange(); entries.Next(); {
			elem := reflect.New(to.Type().Elem()).Elem()
			toSDK(t, entries.Value(), elem)
			to.SetMapIndex(entries.Key(), elem)
		}
	case reflect.Struct:
		for _, member := range reflect.VisibleFields(from.Type()) {
			if member.Anonymous || strings.HasPrefix(member.Tag.Get("api"), "unsupported=") {
				continue
			}
			target := to.FieldByName(member.Name)
			if !target.IsValid() && to.Type() == reflect.TypeFor[types.LocalSecondaryIndexDescription]() {
				continue // package api has one type for both kinds of indexes
			}
			require.True(t, target.IsValid(), "%s has no %s", to.Type(), member.Name)
			toSDK(t, from.FieldByIndex(member.Index), target)
		}
	default:
		require.True(t, from.CanConvert(to.Type()), "%s is no %s", from.Type(), to.Type())
		to.Set(from.Convert(to.Type()))
	}
}

// itemForSDK returns an item in the type of the DynamoDB or the streams client.
func itemForSDK(item value.Map, t reflect.Type) any {
	if t == reflect.TypeFor[map[string]types.AttributeValue]() {
		return attributesForSDK(item)
	}
	attributes := map[string]streamtypes.AttributeValue{}
	for _, a := range item {
		attributes[a.Name] = streamAttributeForSDK(a.Value)
	}
	return attributes
}

func attributesForSDK(item value.Map) map[string]types.AttributeValue {
	attributes := map[string]types.AttributeValue{}
	for _, a := range item {
		attributes[a.Name] = attributeForSDK(a.Value)
	}
	return attributes
}

func attributeForSDK(v value.Value) types.AttributeValue {
	switch v := v.(type) {
	case value.String:
		return &types.AttributeValueMemberS{Value: string(v)}
	case value.Number:
		return &types.AttributeValueMemberN{Value: v.String()}
	case value.Binary:
		return &types.AttributeValueMemberB{Value: []byte(v)}
	case value.Bool:
		return &types.AttributeValueMemberBOOL{Value: bool(v)}
	case value.Null:
		return &types.AttributeValueMemberNULL{Value: true}
	case value.Map:
		return &types.AttributeValueMemberM{Value: attributesForSDK(v)}
	case value.List:
		list := make([]types.AttributeValue, len(v))
		for i := range v {
			list[i] = attributeForSDK(v[i])
		}
		return &types.AttributeValueMemberL{Value: list}
	case value.StringSet:
		return &types.AttributeValueMemberSS{Value: v}
	case value.NumberSet:
		return &types.AttributeValueMemberNS{Value: numbersForSDK(v)}
	case value.BinarySet:
		return &types.AttributeValueMemberBS{Value: binariesForSDK(v)}
	}
	return nil
}

func streamAttributeForSDK(v value.Value) streamtypes.AttributeValue {
	switch v := v.(type) {
	case value.String:
		return &streamtypes.AttributeValueMemberS{Value: string(v)}
	case value.Number:
		return &streamtypes.AttributeValueMemberN{Value: v.String()}
	case value.Binary:
		return &streamtypes.AttributeValueMemberB{Value: []byte(v)}
	case value.Bool:
		return &streamtypes.AttributeValueMemberBOOL{Value: bool(v)}
	case value.Null:
		return &streamtypes.AttributeValueMemberNULL{Value: true}
	case value.Map:
		return &streamtypes.AttributeValueMemberM{Value: itemForSDK(v, nil).(map[string]streamtypes.AttributeValue)}
	case value.List:
		list := make([]streamtypes.AttributeValue, len(v))
		for i := range v {
			list[i] = streamAttributeForSDK(v[i])
		}
		return &streamtypes.AttributeValueMemberL{Value: list}
	case value.StringSet:
		return &streamtypes.AttributeValueMemberSS{Value: v}
	case value.NumberSet:
		return &streamtypes.AttributeValueMemberNS{Value: numbersForSDK(v)}
	case value.BinarySet:
		return &streamtypes.AttributeValueMemberBS{Value: binariesForSDK(v)}
	}
	return nil
}

func numbersForSDK(set value.NumberSet) []string {
	texts := make([]string, len(set))
	for i, n := range set {
		texts[i] = n.String()
	}
	return texts
}

func binariesForSDK(set value.BinarySet) [][]byte {
	binaries := make([][]byte, len(set))
	for i, b := range set {
		binaries[i] = []byte(b)
	}
	return binaries
}
