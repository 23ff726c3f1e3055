package define

import (
	"fmt"
	"slices"
	"strings"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/keysyntax"
	"github.com/trestledb/trestle/keys"
)

// assignTenant gives a field the role tenant: all keys of the type start with it.
func (c *compiler) assignTenant(f *codec.Field) (reason, hint string) {
	if kind, _ := f.KeyKind(); kind != keys.KindText {
		return "the role tenant needs a text, but " + fieldAndType(f), "declare it string"
	}
	if !f.CanSetKey() {
		return "a handle of a tenant cannot set the field", "add the method UnmarshalText to " + f.Node.Type.String()
	}
	c.plan.Tenant = f
	return "", ""
}

// selectsPartition reports whether an attribute is the first partition key attribute of the table
// or of an index: it decides which tenant can read an item.
func selectsPartition(s *core.Schema, attribute string) bool {
	return attribute == s.Partition.Name ||
		slices.ContainsFunc(s.Indexes, func(x *core.Index) bool { return x.Partition[0].Name == attribute })
}

// checkTenant reports partition keys of a type with a tenant that do not start with it.
func (c *compiler) checkTenant() {
	if c.plan.Tenant == nil {
		return
	}
	for _, a := range c.plan.Attrs {
		if !selectsPartition(c.schema, a.Name) || startsWithTenant(a, c.plan.Tenant) {
			continue
		}
		r := c.templates[a.Name]
		if r == nil {
			c.add(fieldPlace(a.Field).issue(c.notFirst(a), c.tenantHint(a)))
			continue
		}
		offset := 0
		if first := keysyntax.Placeholders(r.text); len(first) > 0 {
			offset = first[0].Offset
		}
		c.add(r.issue(offset, c.notFirst(a), c.tenantHint(a)))
	}
}

// startsWithTenant reports whether a key attribute starts with a literal and the tenant, without a
// format.
func startsWithTenant(a *core.KeyAttr, tenant *codec.Field) bool {
	return len(a.Members) > 0 && a.Members[0] == tenant && a.Template.Fields()[0].Format == ""
}

func (c *compiler) notFirst(a *core.KeyAttr) string {
	name := c.plan.Tenant.GoName
	if len(a.Members) > 0 && a.Members[0] == c.plan.Tenant {
		return fmt.Sprintf("the field %s with the role tenant has a format, so two tenants could have the same keys in %s", name, a.Name)
	}
	return fmt.Sprintf("%s is a partition key, and its template does not start with the field %s, which has the role tenant, so a handle or a policy of a tenant cannot cover it", a.Name, name)
}

// tenantHint returns the template with the tenant at its beginning.
func (c *compiler) tenantHint(a *core.KeyAttr) string {
	first := "<" + c.plan.Tenant.Name + ">"
	whole := c.tenantLiteral(a) + first
	if rest := c.withoutTenant(a.Template.String()); rest != "" {
		whole += c.schema.Delimiter + rest
	}
	switch {
	case len(a.Members) > 0 && a.Members[0] == c.plan.Tenant:
		return "write " + first
	case a.Field != nil && c.templates[a.Name] == nil:
		return "give the field another name by its tag, or use " + c.plan.Tenant.GoName + " as this attribute"
	case a.Template.Native():
		return "begin it with the tenant, as in " + quote(whole) + "; a multi-attribute key begins with the attribute " + first
	default:
		return "begin it with the tenant, as in " + quote(whole)
	}
}

// tenantLiteral returns what another type of the schema writes before the tenant in a key
// attribute, or in another key, or else TENANT and the delimiter.
func (c *compiler) tenantLiteral(a *core.KeyAttr) string {
	literal := "TENANT" + c.schema.Delimiter
	for _, p := range c.schema.Plans {
		for _, k := range p.Attrs {
			if p.Tenant == nil || !selectsPartition(c.schema, k.Name) || !startsWithTenant(k, p.Tenant) {
				continue
			}
			literal = tenantKey(c.schema, k).Literal
			if k.Name == a.Name {
				return literal
			}
		}
	}
	return literal
}

// withoutTenant returns a template without the placeholders of the tenant, each with the delimiter
// before it, or after it at the beginning.
func (c *compiler) withoutTenant(template string) string {
	for _, p := range slices.Backward(keysyntax.Placeholders(template)) {
		if p.Name != c.plan.Tenant.Name {
			continue
		}
		before, after := template[:p.Offset], template[p.Offset+len(p.Text):]
		if own, found := strings.CutSuffix(before, c.schema.Delimiter); found {
			before = own
		} else if before == "" {
			after = strings.TrimPrefix(after, c.schema.Delimiter)
		}
		template = before + after
	}
	return template
}
