package define

import (
	"fmt"

	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/keyspace"
	"github.com/trestledb/trestle/internal/keysyntax"
	"github.com/trestledb/trestle/keys"
)

// tenants sets how the keys of a schema start with the tenant, and checks that all types agree: the
// types with a tenant on the literal before it, and the others on other keys.
func tenants(s *core.Schema) (issues []Issue) {
	s.Tenants = nil
	of := map[string]*core.Plan{} // the first type with a tenant in an attribute
	for _, a := range s.KeyAttributes() {
		if !selectsPartition(s, a.Name) {
			continue
		}
		for _, p := range s.Plans {
			k := p.KeyAttr(a.Name)
			if p.Tenant == nil || k == nil || !startsWithTenant(k, p.Tenant) {
				continue
			}
			made := tenantKey(s, k)
			switch known := s.TenantKey(a.Name); {
			case known == nil:
				s.Tenants, of[a.Name] = append(s.Tenants, made), p
			case *known != made:
				issues = append(issues, otherStart(p, k, of[a.Name]))
			}
		}
	}
	for _, p := range s.Plans {
		if p.Tenant == nil {
			issues = append(issues, inTenants(s, p)...)
		}
	}
	return issues
}

// tenantKey returns how the values of a key attribute start.
func tenantKey(s *core.Schema, k *core.KeyAttr) core.TenantKey {
	literal := k.Template.String()[:keysyntax.Placeholders(k.Template.String())[0].Offset]
	return core.TenantKey{Name: k.Name, Literal: literal, Escaped: !s.Raw && !k.Template.Native(), Delimiter: s.Delimiter}
}

// otherStart reports a type whose keys start otherwise than those of another type.
func otherStart(p *core.Plan, k *core.KeyAttr, other *core.Plan) Issue {
	reason := fmt.Sprintf("%s starts with the tenant in another form than in %s, whose template is %s: one policy could not cover both",
		k.Name, other.Name, other.KeyAttr(k.Name).Template)
	return typeIssue(p, keyLabel(p, k), "", k.Template.String(), reason, "write the same literal before the tenant, and the tenant alone in both or in none")
}

// keyLabel names the declaration of a key attribute.
func keyLabel(p *core.Plan, k *core.KeyAttr) string {
	if k.Table {
		return "table key"
	}
	for _, x := range p.Indexes {
		switch {
		case !x.Key.Has(k):
		case x.Access != nil:
			return "access pattern " + x.Access.Name + " on " + x.Index.Name
		default:
			return "index " + x.Index.Name + ", not declared"
		}
	}
	return "attribute " + k.Name
}

// inTenants reports the keys of a type without a tenant that could be those of a tenant.
func inTenants(s *core.Schema, p *core.Plan) (issues []Issue) {
	for i := range s.Tenants {
		t := &s.Tenants[i]
		k := p.KeyAttr(t.Name)
		if k == nil {
			continue
		}
		for _, space := range tenantSpaces(s, t) {
			clash, found := keyspace.FindOverlap(keyspace.CompositeKey{Partition: k.Template.Space()}, keyspace.CompositeKey{Partition: space})
			if !found {
				continue
			}
			text := fmt.Sprintf("%s %s, such as %s", k.Name, k.Template, exampleText(k, clash.PartitionKey))
			reason := "the type has no tenant, but an item of it can have a key of a tenant"
			hint := "give a field the role tenant, or begin the template otherwise than with the literal " + quote(t.Literal)
			if t.Literal == "" {
				hint = "give a field the role tenant; or write a literal before the tenant in all types, and begin this template with another one"
			}
			issues = append(issues, typeIssue(p, keyLabel(p, k), "", text, reason, hint))
			break
		}
	}
	return issues
}

// tenantSpaces returns the keys that start with a tenant: the tenant alone, and with more after it.
func tenantSpaces(s *core.Schema, t *core.TenantKey) (spaces []*keyspace.Space) {
	for _, text := range []string{t.Literal + "<tenant>", t.Literal + "<tenant>" + t.Delimiter + "<more>"} {
		if made, err := keys.Compile(text, keys.Options{Delimiter: s.Delimiter, Raw: s.Raw, Partition: true}); err == nil {
			spaces = append(spaces, made.Space())
		}
	}
	return spaces
}

// tenantOfCount reports a count whose counting item does not have the tenant of the counted one.
func tenantOfCount(p *core.Plan, c *core.Counted) (reason, hint string) {
	switch is, own := c.Parent.Tenant, p.Tenant; {
	case is == nil && own == nil:
		return "", ""
	case is == nil:
		return "the items of the type have a tenant, and the type " + c.In + " has none, so items of several tenants would change one item", "give a field of " + typeName(c.Parent.Type) + " the role tenant, and begin its keys with it"
	case own == nil:
		return "the type " + c.In + " has a tenant, and the items of the type have none", "give a field of " + typeName(p.Type) + " the role tenant, and begin its keys with it"
	case len(c.Key.Partition) > 0 && !startsWithTenant(c.Key.Partition[0], own):
		return "the counting item can have another tenant than the item", "begin its pk with the tenant: " + quote(withFirst(c.Key.Partition[0].Template.String(), own.Name))
	}
	return "", ""
}

// withFirst returns a template with another field in its first placeholder.
func withFirst(template, field string) string {
	p := keysyntax.Placeholders(template)[0]
	return template[:p.Offset] + "<" + field + ">" + template[p.Offset+len(p.Text):]
}
