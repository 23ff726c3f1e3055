// Package check rejects keys with a wrong shape, type or size, and items that are too large.
//
// All its errors are of type [*awserr.Error].
package check

import (
	"github.com/trestledb/trestle/ddbtest/internal/awserr"
	"github.com/trestledb/trestle/ddbtest/internal/store"
	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// Key rejects a key of a request that is not exactly a key of the schema.
func Key(schema store.KeySchema, key value.Map) error {
	if len(key) == schema.Len() && schema.Accepts(key) {
		return nil
	}
	if len(key) != schema.Len() {
		return errKeySchema()
	}
	for _, a := range schema.All() {
		if v := key.Get(a.Name); v == nil || v.Kind() != a.Kind {
			return errKeySchema()
		}
	}
	return checkKeyValues(schema, key)
}

func errKeySchema() error {
	return awserr.Validation("The provided key element does not match the schema")
}

// ItemKey rejects an item without a valid key of the table.
func ItemKey(schema store.KeySchema, item value.Map) error {
	if schema.Accepts(item) {
		return nil
	}
	for _, a := range schema.All() {
		v := item.Get(a.Name)
		if v == nil {
			return awserr.Validation("One or more parameter values were invalid: Missing the key %s in the item", a.Name)
		}
		if v.Kind() != a.Kind {
			return awserr.Validation("One or more parameter values were invalid: Type mismatch for key %s expected: %s actual: %s",
				a.Name, a.Kind, v.Kind())
		}
	}
	return checkKeyValues(schema, item)
}

// EmptyKey rejects key attributes that are empty strings or empty binary values. It checks nothing
// else.
func EmptyKey(schema store.KeySchema, attributes value.Map) error {
	for _, a := range schema.All() {
		if kind := emptyKind(attributes.Get(a.Name)); kind != "" {
			return errEmptyKey(a, kind)
		}
	}
	return nil
}

func errEmptyKey(a store.KeyAttribute, kind string) error {
	return awserr.Validation("One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an "+
		"empty %s value. Key: %s", kind, a.Name)
}

// checkKeyValues rejects keys that are empty or too long.
func checkKeyValues(schema store.KeySchema, item value.Map) error {
	if err := EmptyKey(schema, item); err != nil {
		return err
	}
	return checkKeySizes(schema, item)
}

// emptyKind returns the type name of an empty string or binary value, or "".
func emptyKind(v value.Value) string {
	switch v := v.(type) {
	case value.String:
		if v == "" {
			return "string"
		}
	case value.Binary:
		if v == "" {
			return "binary"
		}
	}
	return ""
}

func checkKeySizes(schema store.KeySchema, item value.Map) error {
	switch {
	case totalSize(schema.Partition, item) > store.MaxPartition:
		return awserr.Validation("One or more parameter values were invalid: Size of hashkey has exceeded the maximum size limit of2048 bytes")
	case totalSize(schema.Sort, item) > store.MaxSort:
		return awserr.Validation("One or more parameter values were invalid: Aggregated size of all range keys has exceeded the size limit of 1024 bytes")
	}
	return nil
}

func totalSize(attributes []store.KeyAttribute, item value.Map) int {
	sum := 0
	for _, a := range attributes {
		sum += value.Size(item.Get(a.Name))
	}
	return sum
}

// KeyOperand rejects an operand of a key condition that is empty or too long for a key.
func KeyOperand(schema store.KeySchema, a store.KeyAttribute, v value.Value) error {
	if kind := emptyKind(v); kind != "" {
		return errEmptyKey(a, kind)
	}
	return checkKeySizes(schema, value.Map{{Name: a.Name, Value: v}})
}
