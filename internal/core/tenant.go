package core

import (
	"strings"

	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/keyspace"
	"github.com/trestledb/trestle/keys"
)

// TenantKey describes how the values of a key attribute start in a schema with tenants: a literal,
// the tenant, and then the delimiter or the end.
type TenantKey struct {
	Name      string // the attribute
	Literal   string // may be empty
	Escaped   bool   // the tenant is escaped
	Delimiter string
}

// Start returns what all keys of a tenant start with, without the delimiter.
func (k *TenantKey) Start(tenant string) string {
	if k.Escaped {
		tenant = keyspace.Escaped.Segment(tenant)
	}
	return k.Literal + tenant
}

// Of returns the tenant of a key. It returns false for a key that no tenant has.
func (k *TenantKey) Of(key string) (tenant string, ok bool) {
	rest, ok := strings.CutPrefix(key, k.Literal)
	text, _, _ := strings.Cut(rest, k.Delimiter)
	if !ok || text == "" || strings.HasPrefix(key, keyspace.Reserved) {
		return "", false
	}
	if k.Escaped {
		return keyspace.Unescape(text)
	}
	return text, true
}

// Cut returns a key without the tenant and the delimiter after it. It returns other keys unchanged.
func (k *TenantKey) Cut(key string) string {
	rest, ok := strings.CutPrefix(key, k.Literal)
	tenant, own, found := strings.Cut(rest, k.Delimiter)
	if !ok || !found || tenant == "" || strings.HasPrefix(key, keyspace.Reserved) {
		return key
	}
	return own
}

// TenantKey returns how the values of a key attribute start, or nil if they start with no tenant.
func (s *Schema) TenantKey(attribute string) *TenantKey {
	for i := range s.Tenants {
		if s.Tenants[i].Name == attribute {
			return &s.Tenants[i]
		}
	}
	return nil
}

// TenantOf returns the tenant of the item with a key of the table, or "" if it has none.
func (s *Schema) TenantOf(key map[string]AV) string {
	k := s.TenantKey(s.Partition.Name)
	if k == nil {
		return ""
	}
	text, _ := KeyText(s.Partition.Type, key[s.Partition.Name])
	tenant, _ := k.Of(text)
	return tenant
}

// CutTenant returns a partition key of the table without the tenant that it starts with.
func (s *Schema) CutTenant(partition string) string {
	if len(s.Tenants) == 0 {
		return partition
	}
	if k := s.TenantKey(s.Partition.Name); k != nil {
		return k.Cut(partition)
	}
	return partition
}

// WithTenant returns a key of the library as it is for a tenant in a key attribute. An empty tenant
// is none.
func (s *Schema) WithTenant(attribute, tenant, key string) string {
	if k := s.TenantKey(attribute); k != nil && tenant != "" {
		return k.Start(tenant) + k.Delimiter + key
	}
	return key
}

// isTenantAlone reports whether a partition key of the type follows from the schema and the tenant:
// it has no other field than the tenant and a shard.
func (p *Plan) isTenantAlone(key Key) bool {
	a := key.Partition[0]
	for i, m := range a.Members {
		if m != p.Tenant && !a.IsShard(i) {
			return false
		}
	}
	return len(key.Partition) == 1
}

// TenantKeyOf returns the key of the type that finds all its items of a tenant, and its index: that
// of the table, with no index, or that of an index that every item is on. It returns no key if
// there is none.
func (p *Plan) TenantKeyOf() (Key, *Index) {
	if p.isTenantAlone(p.Table) {
		return p.Table, nil
	}
	for _, x := range p.Indexes {
		if p.isTenantAlone(x.Key) && p.IsAlwaysOn(x) {
			return x.Key, x.Index
		}
	}
	return Key{}, nil
}

// checkTenant reports a tenant that a key would hold unescaped, with the delimiter in it. Such a
// key could be one of another tenant.
func (p *Plan) checkTenant(v keys.Value) error {
	for i := range p.Schema.Tenants {
		if k := &p.Schema.Tenants[i]; !k.Escaped && strings.Contains(v.Text(), k.Delimiter) {
			return errs.New(p.Tenant.Name, "the tenant contains the delimiter, and the key attribute "+k.Name+" holds it unescaped", "use a tenant without "+k.Delimiter)
		}
	}
	return nil
}
