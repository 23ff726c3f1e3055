package store

import (
	"iter"
	"slices"

	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// KeyAttribute is an attribute of a key and its required type.
type KeyAttribute struct {
	Name string
	Kind value.Kind
}

// KeySchema is the key of a table or of an index. A table has one partition key attribute and at
// most one sort key attribute. A global index has up to four of each.
type KeySchema struct {
	Partition []KeyAttribute
	Sort      []KeyAttribute
}

// All returns the partition key attributes followed by the sort key attributes, numbered from 0.
func (k KeySchema) All() iter.Seq2[int, KeyAttribute] {
	return func(yield func(int, KeyAttribute) bool) {
		for i, a := range k.Partition {
			if !yield(i, a) {
				return
			}
		}
		for i, a := range k.Sort {
			if !yield(len(k.Partition)+i, a) {
				return
			}
		}
	}
}

// Attributes returns the attributes of [KeySchema.All] as a new slice.
func (k KeySchema) Attributes() []KeyAttribute { return slices.Concat(k.Partition, k.Sort) }

// Len returns the number of attributes.
func (k KeySchema) Len() int { return len(k.Partition) + len(k.Sort) }

// Has reports whether the attribute is part of the key.
func (k KeySchema) Has(name string) bool {
	is := func(a KeyAttribute) bool { return a.Name == name }
	return slices.ContainsFunc(k.Partition, is) || slices.ContainsFunc(k.Sort, is)
}

// Holds reports whether the item has every attribute of the key, with the required type.
func (k KeySchema) Holds(item value.Map) bool {
	return holds(k.Partition, item) && holds(k.Sort, item)
}

func holds(attributes []KeyAttribute, item value.Map) bool {
	for _, a := range attributes {
		if v := item.Get(a.Name); v == nil || v.Kind() != a.Kind {
			return false
		}
	}
	return true
}

// Size limits of keys, in bytes: of all partition key attributes together, and of all sort key
// attributes.
const (
	MaxPartition = 2048
	MaxSort      = 1024
)

// Accepts reports whether [KeySchema.Holds] is true for the item, its key has no empty attribute,
// and its key is not too long.
func (k KeySchema) Accepts(item value.Map) bool {
	return accepts(k.Partition, item, MaxPartition) && accepts(k.Sort, item, MaxSort)
}

func accepts(attributes []KeyAttribute, item value.Map, most int) bool {
	sum := 0
	for i := range attributes {
		a := &attributes[i]
		v := item.Get(a.Name)
		size := value.Size(v)
		if size == 0 || v.Kind() != a.Kind {
			return false
		}
		sum += size
	}
	return sum <= most
}

// Pick returns the key attributes of an item.
func (k KeySchema) Pick(item value.Map) value.Map {
	picked := make([]value.Attribute, 0, len(k.Partition)+len(k.Sort))
	for _, list := range [2][]KeyAttribute{k.Partition, k.Sort} {
		for _, a := range list {
			if v := item.Get(a.Name); v != nil {
				picked = append(picked, value.Attribute{Name: a.Name, Value: v})
			}
		}
	}
	return value.MapOf(picked...)
}

// Projection is the attributes that an index projects in addition to its key and the key of the
// table.
type Projection struct {
	Type  string   // ALL, KEYS_ONLY or INCLUDE
	Names []string // for INCLUDE, in the given order
}
