package check

import (
	"errors"
	"slices"
	"strings"

	"github.com/trestledb/trestle/ddbtest/internal/awserr"
	"github.com/trestledb/trestle/ddbtest/internal/store"
	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// IndexKeys rejects an item with an index key attribute that has the wrong type, is empty or is too
// long. An absent attribute is valid: the index then has no entry for the item.
func IndexKeys(t *store.Table, item value.Map) error { return checkEachIndex(t, item, checkIndexKey) }

// EmptyIndexKeys rejects index key attributes that are empty strings or empty binary values. It
// checks nothing else.
func EmptyIndexKeys(t *store.Table, item value.Map) error {
	return checkEachIndex(t, item, checkIndexKeyNotEmpty)
}

// UpdatedIndexKeys is [IndexKeys] with the error messages of an update. It rejects only attributes
// that the update changed: an older attribute may violate the key of an index that was created
// later.
func UpdatedIndexKeys(t *store.Table, item value.Map) error {
	return checkEachIndex(t, item, checkUpdatedIndexKey)
}

// checkEachIndex returns the error of the failing index whose name sorts first, as the service
// does.
func checkEachIndex(t *store.Table, item value.Map, check func(*store.Table, *store.Index, value.Map) error) error {
	var first error
	var name string
	for _, ix := range t.Indexes {
		if first != nil && name < ix.Name {
			continue
		}
		if err := check(t, ix, item); err != nil {
			first, name = err, ix.Name
		}
	}
	return first
}

func checkIndexKey(t *store.Table, ix *store.Index, item value.Map) error {
	for _, a := range ix.Key.All() {
		if v := item.Get(a.Name); v != nil && v.Kind() != a.Kind {
			return errIndexKeyType(ix, a, v)
		}
	}
	if err := checkIndexKeyNotEmpty(t, ix, item); err != nil {
		return err
	}
	return checkIndexKeySizes(ix, item)
}

func errIndexKeyType(ix *store.Index, a store.KeyAttribute, v value.Value) error {
	return awserr.Validation("One or more parameter values were invalid: Type mismatch for Index Key %s Expected: %s Actual: %s IndexName: %s",
		a.Name, a.Kind, v.Kind(), ix.Name)
}

func checkIndexKeyNotEmpty(_ *store.Table, ix *store.Index, item value.Map) error {
	for _, a := range ix.Key.All() {
		if kind := emptyKind(item.Get(a.Name)); kind != "" {
			return awserr.Validation("One or more parameter values are not valid. A value specified for a secondary index key is not supported. "+
				"The AttributeValue for a key attribute cannot contain an empty %s value. IndexName: %s, IndexKey: %s", kind, ix.Name, a.Name)
		}
	}
	return nil
}

// checkIndexKeySizes rejects keys that are too long. The attributes of a multi-attribute key are
// measured together.
func checkIndexKeySizes(ix *store.Index, item value.Map) error {
	for _, part := range []struct {
		role       string
		attributes []store.KeyAttribute
		limit      int
	}{{"HASH", ix.Key.Partition, store.MaxPartition}, {"RANGE", ix.Key.Sort, store.MaxSort}} {
		size := totalSize(part.attributes, item)
		if size > part.limit && len(part.attributes) > 1 {
			return awserr.Validation("Aggregate size for %s key attributes %s of index %s has exceeded limit %d bytes, with actual size %d bytes",
				part.role, joinNames(part.attributes), ix.Name, part.limit, size)
		}
	}
	return checkKeySizes(ix.Key, item)
}

func joinNames(attributes []store.KeyAttribute) string {
	list := make([]string, len(attributes))
	for i, a := range attributes {
		list[i] = a.Name
	}
	return strings.Join(list, ", ")
}

// The errors of an update that sets an empty index key.
var errEmptyStringUpdate, errEmptyBinaryUpdate = newEmptyUpdateError("string"), newEmptyUpdateError("binary")

func newEmptyUpdateError(kind string) *awserr.Error {
	return awserr.Validation("One or more parameter values are not valid. The update expression attempted to update a secondary index key to a "+
		"value that is not supported. The AttributeValue for a key attribute cannot contain an empty %s value.", kind)
}

// IsEmptyUpdate reports whether err is the error that [UpdatedIndexKeys] returns for an empty
// attribute.
func IsEmptyUpdate(err error) bool {
	return errors.Is(err, errEmptyStringUpdate) || errors.Is(err, errEmptyBinaryUpdate)
}

func checkUpdatedIndexKey(t *store.Table, ix *store.Index, item value.Map) error {
	attributes, older := ix.Key.Attributes(), false
	for _, a := range attributes {
		err := checkUpdatedValue(ix, a, item.Get(a.Name))
		if err != nil && isUpdated(t, item, a) {
			return err
		}
		older = older || err != nil
	}
	if !older && checkKeySizes(ix.Key, item) != nil && isUpdated(t, item, attributes...) {
		return awserr.Validation("The update expression attempted to update the secondary index key beyond allowed size limits")
	}
	return nil
}

func checkUpdatedValue(ix *store.Index, a store.KeyAttribute, v value.Value) error {
	switch {
	case v == nil:
		return nil
	case v.Kind() != a.Kind:
		return errIndexKeyType(ix, a, v)
	}
	switch emptyKind(v) {
	case "string":
		return errEmptyStringUpdate
	case "binary":
		return errEmptyBinaryUpdate
	}
	return nil
}

// isUpdated reports whether one of the attributes differs from the item stored in the table, if
// there is one.
func isUpdated(t *store.Table, item value.Map, attributes ...store.KeyAttribute) bool {
	old := t.Get(item)
	return slices.ContainsFunc(attributes, func(a store.KeyAttribute) bool {
		return !value.Equal(old.Get(a.Name), item.Get(a.Name))
	})
}
