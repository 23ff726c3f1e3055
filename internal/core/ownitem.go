package core

import (
	"iter"
	"maps"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/keyspace"
)

// CheckOwnItems returns why the library stores no items of its own for a tenant, or nil. An empty
// tenant is none.
func (s *Schema) CheckOwnItems(tenant string) error {
	if tenant == "" || !s.TypesOnly {
		return nil
	}
	return errs.New("Config.TenantIndex", "it is None, so nothing would lead to the library's items of a tenant", "name an index, or leave it empty")
}

// OwnItem returns an item of the library: its key, its type, its key in the tenant index, and other
// attributes.
func (s *Schema) OwnItem(itemType string, key, attributes map[string]AV) map[string]AV {
	item := maps.Clone(key)
	maps.Copy(item, attributes)
	maps.Insert(item, s.OwnAttributes(itemType, key))
	return item
}

// OwnAttributes returns the attributes that an item of the library has because of the schema: its
// type, unless that is empty, and its key in the tenant index.
func (s *Schema) OwnAttributes(itemType string, key map[string]AV) iter.Seq2[string, AV] {
	return func(yield func(string, AV) bool) {
		if s.TypeAttr != "" && itemType != "" && !yield(s.TypeAttr, &types.AttributeValueMemberS{Value: itemType}) {
			return
		}
		for name, av := range s.tenantIndexKey(key) {
			if !yield(name, av) {
				return
			}
		}
	}
}

// tenantIndexKey returns the key of an item of the library in the tenant index. It is empty without
// such an index, and for an item without a tenant. The sort key is the same for all, and no item of
// a type has it.
func (s *Schema) tenantIndexKey(key map[string]AV) iter.Seq2[string, AV] {
	return func(yield func(string, AV) bool) {
		x := s.TenantIndex
		if x == nil {
			return
		}
		tenant := s.TenantOf(key)
		if tenant == "" {
			return
		}
		partition := x.Partition[0].Name
		if !yield(partition, &types.AttributeValueMemberS{Value: s.TenantKey(partition).Start(tenant)}) || len(x.Sort) == 0 {
			return
		}
		yield(x.Sort[0].Name, &types.AttributeValueMemberS{Value: keyspace.Reserved})
	}
}

// TenantIndexForm describes the partition keys of the tenant index. Items whose keys have another
// form are not found. It is empty without such an index.
func (s *Schema) TenantIndexForm() string {
	if s.TenantIndex == nil {
		return ""
	}
	k := s.TenantKey(s.TenantIndex.Partition[0].Name)
	if k == nil {
		return s.TenantIndex.Partition[0].Name
	}
	form := k.Name + " = " + k.Literal + "<tenant>"
	if !k.Escaped {
		form += " unescaped"
	}
	return form
}
