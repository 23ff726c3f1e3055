package define

import (
	"slices"
	"strings"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/keysyntax"
	"github.com/trestledb/trestle/keys"
)

// checkTenantIndex finds the tenant index and checks its key.
func (c *configChecker) checkTenantIndex() {
	s, name := c.schema, c.config.TenantIndex
	if s.TypesOnly = name == trestle.None; s.TypesOnly || name == "" {
		return
	}
	x := s.Index(name)
	if x == nil {
		c.add(".TenantIndex", name, "the table has no such index", "add it to Indexes")
		return
	}
	var reason, hint string
	switch {
	case x.Kind != trestle.GlobalIndex:
		reason, hint = "the index is local, or has several partition or sort key attributes", "use a global index with one partition key attribute"
	case slices.ContainsFunc(append(x.Partition, x.Sort...), func(a core.Attribute) bool { return a.Type != keys.S }):
		reason, hint = "the index has a key attribute of another type than S", "leave the type out for S"
	case inOtherKey(s, x):
		reason, hint = "a key attribute of the index is also in another key", "give it attributes of its own"
	default:
		s.TenantIndex = x
		return
	}
	c.add(".TenantIndex", name, reason, hint)
}

// inOtherKey reports whether an attribute in the key of an index is in another key of the table.
func inOtherKey(s *core.Schema, x *core.Index) bool {
	others := append(s.PartitionKey(), s.SortKey()...)
	for _, o := range s.Indexes {
		if o != x {
			others = append(append(others, o.Partition...), o.Sort...)
		}
	}
	return slices.ContainsFunc(append(x.Partition, x.Sort...), func(a core.Attribute) bool {
		return slices.ContainsFunc(others, func(b core.Attribute) bool { return a.Name == b.Name })
	})
}

// tenantIndex reports types of which not all items of a tenant are in one partition of the tenant
// index.
func tenantIndex(s *core.Schema) (issues []Issue) {
	x, found := s.TenantIndex, false
	if x == nil {
		return nil
	}
	for _, p := range s.Plans {
		if p.Tenant == nil {
			continue
		}
		found = true
		if reason, hint := notInTenantIndex(p, x); reason != "" {
			issues = append(issues, typeIssue(p, "index "+x.Name, "", "", reason, hint))
		}
	}
	if !found && len(s.Plans) > 0 {
		issues = append(issues, place{field: "Config.TenantIndex", text: x.Name}.issue("no type has a tenant", "give a field the role tenant, or leave TenantIndex empty"))
	}
	return issues
}

// notInTenantIndex returns why not all items of a type are in the partition of their tenant.
func notInTenantIndex(p *core.Plan, x *core.Index) (reason, hint string) {
	literal := p.Table.Partition[0].Template.String() // that of the table's key begins with one, too
	literal = literal[:keysyntax.Placeholders(literal)[0].Offset]
	if k := p.Schema.TenantKey(x.Partition[0].Name); k != nil {
		literal = k.Literal
	}
	pk := quote(literal + "<" + p.Tenant.Name + ">")
	i := slices.IndexFunc(p.Indexes, func(k *core.IndexKey) bool { return k.Index == x })
	if i < 0 {
		declared := "`name:\"of-tenant\" on:" + quote(x.Name) + " pk:" + pk
		if len(x.Sort) > 0 && len(p.Table.Sort) > 0 {
			declared += " sk:" + quote(p.Table.Sort[0].Template.String())
		}
		return "the type has a tenant and is not on the tenant index", "add the field _ entity.Index " + declared + "`"
	}
	k := p.Indexes[i].Key
	if a := k.Partition[0]; len(a.Members) != 1 || a.Members[0] != p.Tenant || !strings.HasSuffix(a.Template.String(), ">") {
		return "the partition key of the tenant index is not the tenant alone", "declare it there with pk:" + pk
	}
	if optional, empty := p.Omitting(k); len(optional)+len(empty) > 0 {
		name := append(optional, empty...)[0].GoName
		return "an item whose " + name + " is empty is not on the tenant index", "use only fields of the table's key in its sk"
	}
	return "", ""
}
