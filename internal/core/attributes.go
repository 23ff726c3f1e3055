package core

import (
	"slices"

	"github.com/trestledb/trestle/keys"
)

// PartitionKey returns the table's partition key as a list, in the form of an index's.
func (s *Schema) PartitionKey() []Attribute { return []Attribute{s.Partition} }

// SortKey returns the table's sort key as a list, or nil if the table has none.
func (s *Schema) SortKey() []Attribute {
	if s.Sort.Name == "" {
		return nil
	}
	return []Attribute{s.Sort}
}

// InTableKey reports whether the table's key contains the attribute.
func (s *Schema) InTableKey(attribute string) bool {
	return attribute == s.Partition.Name || attribute == s.Sort.Name
}

// KeyAttributes returns every key attribute of the table and its indexes once, the table's first.
func (s *Schema) KeyAttributes() []Attribute {
	list := UniqueAttributes(s.PartitionKey(), s.SortKey())
	for _, x := range s.Indexes {
		list = UniqueAttributes(list, x.Partition, x.Sort)
	}
	return list
}

// UniqueAttributes concatenates lists of key attributes. It keeps the first attribute of a name.
func UniqueAttributes(lists ...[]Attribute) []Attribute {
	var all []Attribute
	for _, list := range lists {
		for _, a := range list {
			if !slices.ContainsFunc(all, func(b Attribute) bool { return a.Name == b.Name }) {
				all = append(all, a)
			}
		}
	}
	return all
}

// ReservedKey returns the key of an item of the library: of a tenant, or of none if tenant is
// empty. It consists of a partition key, and a sort key as a text and as a number.
func (s *Schema) ReservedKey(tenant, partition, sort, sortNumber string) map[string]AV {
	key := map[string]AV{s.Partition.Name: KeyValue(s.Partition.Type, s.WithTenant(s.Partition.Name, tenant, partition))}
	switch {
	case s.Sort.Name == "":
	case s.Sort.Type == keys.N:
		key[s.Sort.Name] = KeyValue(keys.N, sortNumber)
	default:
		key[s.Sort.Name] = KeyValue(s.Sort.Type, s.WithTenant(s.Sort.Name, tenant, sort))
	}
	return key
}
