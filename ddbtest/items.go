package ddbtest

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/ddbtest/internal/itemtext"
	"github.com/trestledb/trestle/ddbtest/internal/sdkvalue"
)

// Items are items in a form that can be printed, compared and decoded. Convert a result of
// [DB.Dump] to it:
//
//	fmt.Print(ddbtest.Items(db.Dump("orders")).JSON())
type Items []map[string]types.AttributeValue

// JSON returns the items as plain JSON, with one attribute per line and in the order of the names.
// Equal items have equal texts, so a test can compare the text with a golden file. The types of
// DynamoDB are lost: a binary value is Base64 text, and a set is a sorted list.
func (items Items) JSON() string { return itemtext.Plain(items) }

// DynamoDBJSON returns the items as DynamoDB JSON, with one item per line, as in an export to S3.
// [DB.LoadFile] reads it. Equal items have equal texts.
func (items Items) DynamoDBJSON() string {
	var text []byte
	for _, item := range items {
		text = append(append(append(text, `{"Item":`...), itemtext.Typed(item)...), "}\n"...)
	}
	return string(text)
}

// Decode decodes the items with package attributevalue of the SDK. Into is a pointer to a slice,
// such as *[]Order, which Decode replaces. It returns the errors of all items, without values.
func (items Items) Decode(into any) error {
	target := reflect.ValueOf(into)
	if target.Kind() != reflect.Pointer || target.IsNil() || target.Elem().Kind() != reflect.Slice {
		return fmt.Errorf("ddbtest: decode items: %T is not a pointer to a slice", into)
	}
	elem := target.Type().Elem().Elem()
	decoded := reflect.MakeSlice(target.Type().Elem(), 0, len(items))
	var errs []error
	for i, item := range items {
		e := reflect.New(elem)
		if attributevalue.UnmarshalMap(item, e.Interface()) != nil {
			errs = append(errs, fmt.Errorf("ddbtest: decode items[%d]: %w", i, misfit(item, elem)))
		}
		decoded = reflect.Append(decoded, e.Elem())
	}
	if len(errs) > 0 {
		return errors.Join(errs...)
	}
	target.Elem().Set(decoded)
	return nil
}

// misfit returns an error that names the attributes of an item that cannot be decoded. The errors
// of the SDK contain values.
func misfit(item map[string]types.AttributeValue, elem reflect.Type) error {
	var errs []error
	for _, name := range slices.Sorted(maps.Keys(item)) {
		one := map[string]types.AttributeValue{name: item[name]}
		if attributevalue.UnmarshalMap(one, reflect.New(elem).Interface()) != nil {
			errs = append(errs, fmt.Errorf("the attribute %s of type %s does not fit %s", name, sdkvalue.Kind(item[name]), elem))
		}
	}
	if len(errs) == 0 {
		return fmt.Errorf("the item does not fit %s", elem)
	}
	return errors.Join(errs...)
}
