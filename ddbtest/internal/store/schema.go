package store

import (
	"slices"

	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// KeyAttribute is an attribute that a key is made of, and the type that it must have.
type KeyAttribute struct {
	Name string
	Kind value.Kind
}

// KeySchema is the key of a table or of an index. A table has one partition attribute and at most one for sorting; a global index up to four of each.
type KeySchema struct {
	Partition []KeyAttribute
	Sort      []KeyAttribute
}

// All returns the attributes in the schema's order.
func (k KeySchema) All() []KeyAttribute {
	return append(k.Partition[:len(k.Partition):len(k.Partition)], k.Sort...)
}

// Has tells whether the attribute is part of the key.
func (k KeySchema) Has(name string) bool {
	is := func(a KeyAttribute) bool { return a.Name == name }
	return slices.ContainsFunc(k.Partition, is) || slices.ContainsFunc(k.Sort, is)
}

// Holds tells whether the item has every attribute of the key, each with its type.
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

// The sizes that keys may have at most, in bytes: of all partition attributes together, and of all sort attributes.
const (
	MaxPartition = 2048
	MaxSort      = 1024
)

// fits tells whether the key of an item that [KeySchema.Holds] it is neither empty nor too long for a key.
func (k KeySchema) fits(item value.Map) bool {
	return fits(k.Partition, item, MaxPartition) && fits(k.Sort, item, MaxSort)
}

func fits(attributes []KeyAttribute, item value.Map, most int) bool {
	sum := 0
	for _, a := range attributes {
		size := value.Size(item.Get(a.Name))
		if size == 0 {
			return false
		}
		sum += size
	}
	return sum <= most
}

// Pick returns the key's attributes out of an item.
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

// Projection is what an index holds beside the keys of the table and its own.
type Projection struct {
	Type  string   // ALL, KEYS_ONLY or INCLUDE
	Names []string // of INCLUDE, in the order given
}
