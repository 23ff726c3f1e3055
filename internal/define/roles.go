package define

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/tag"
	"github.com/trestledb/trestle/keys"
)

var (
	roleNames    = []string{core.RoleVersion, core.RoleCreated, core.RoleUpdated, core.RoleTTL, core.RoleRest, core.RoleKey}
	plannedRoles = []string{"unique", "tenant"}
)

// declaredRole is the role that a tag or a Spec assigns to a field.
type declaredRole struct {
	index []int  // the field, if a tag assigns the role
	name  string // the field's attribute, if a Spec assigns the role
	path  string
	text  string
	pos   int
}

// readRole records the role in a field's tag.
func (c *compiler) readRole(path string, index []int, pairs tag.Pairs) {
	if text, ok := pairs.Lookup(roleTag); ok {
		c.declaredRoles = append(c.declaredRoles, declaredRole{index: index, path: path, text: text, pos: index[0]})
	}
}

// assignRoles assigns the roles to fields.
func (c *compiler) assignRoles(spec *Spec) {
	if spec != nil {
		for _, name := range slices.Sorted(maps.Keys(spec.Roles)) {
			c.declaredRoles = append(c.declaredRoles, declaredRole{name: name, path: "Spec.Roles " + name, text: spec.Roles[name], pos: -1})
		}
	}
	first := map[string]string{} // maps a role to its first field
	for _, r := range c.declaredRoles {
		f := c.roleField(r)
		role, ok := c.roleName(r)
		if f == nil || !ok {
			continue
		}
		if other, again := first[role]; again && role != core.RoleKey {
			c.addRoleIssue(r, "the role "+role+" is already assigned to "+other, "drop the role from one of the two")
			continue
		}
		first[role] = f.GoName
		if reason, hint := c.assign(role, f); reason != "" {
			c.addShared(c.roleCause(role, f), r.issue(reason, hint))
		}
	}
}

// roleCause returns the cause of an issue of a role. It is empty unless other places can have the
// same cause.
func (c *compiler) roleCause(role string, f *codec.Field) string {
	switch role {
	case core.RoleKey:
		return c.fieldCause(f)
	case core.RoleTTL:
		return "time to live in " + f.Name
	default:
		return ""
	}
}

func (c *compiler) addRoleIssue(r declaredRole, reason, hint string) { c.add(r.issue(reason, hint)) }

func (r declaredRole) issue(reason, hint string) locatedIssue {
	key := roleTag
	if r.index == nil {
		key = ""
	}
	return locatedIssue{Issue{Field: r.path, Tag: key, Text: r.text, Offset: -1, Reason: reason, Hint: hint}, r.pos}
}

func (c *compiler) roleField(r declaredRole) *codec.Field {
	if r.index == nil {
		if f := c.plan.Shape.ByName(r.name); f != nil {
			return f
		}
		reason, hint := c.unknownAttribute(r.name, func(name string) string { return name })
		c.addRoleIssue(r, reason, hint)
		return nil
	}
	if f, rest := c.plan.Shape.ByIndex(r.index); f != nil && len(rest) == 0 {
		return f
	}
	hint := "drop the role, or the " + unstoredTag
	if r.text == core.RoleKey {
		hint = "a field with the role key needs the name that templates use: tag it dynamodbav:\"name\" instead of " + unstoredTag
	}
	c.addRoleIssue(r, "the field has a role but is not stored", hint)
	return nil
}

// roleName returns the role. It reports an issue and returns false if the role is unknown or not
// supported.
func (c *compiler) roleName(r declaredRole) (string, bool) {
	role := r.text
	switch {
	case slices.Contains(roleNames, role):
		return role, true
	case slices.Contains(plannedRoles, role):
		c.addRoleIssue(r, "the role "+role+" is not supported yet", "leave it out")
	case role == "":
		c.addRoleIssue(r, "the role is empty", "the roles are "+joinWords(roleNames))
	case strings.Contains(role, ","):
		c.addRoleIssue(r, "a field can have only one role", "keep one of them")
	default:
		hint := "the roles are " + joinWords(roleNames)
		if meant := tag.Suggest(role, append(roleNames, plannedRoles...)); meant != "" {
			hint = "did you mean " + meant + "?"
		}
		c.addRoleIssue(r, "unknown role "+role, hint)
	}
	return "", false
}

// assign assigns a role to a field. It returns a reason and a hint if the field cannot have the
// role.
func (c *compiler) assign(role string, f *codec.Field) (reason, hint string) {
	p := c.plan
	kind, keyable := f.KeyKind()
	stored := f.Wire() &^ codec.WireNULL
	switch role {
	case core.RoleVersion:
		if reason, hint := versionMismatch(f, stored); reason != "" {
			return reason, hint
		}
		p.Version = f
	case core.RoleCreated, core.RoleUpdated:
		if !keyable || kind != keys.KindTime {
			return "the role " + role + " needs a time.Time, but " + fieldAndType(f), "declare it time.Time"
		}
		if role == core.RoleCreated {
			p.Created = f
		} else {
			p.Updated = f
		}
	case core.RoleTTL:
		return c.assignTTL(f, kind, stored)
	case core.RoleRest:
		if err := p.Shape.SetRest(f); err != nil {
			return "the role rest needs a map[string]types.AttributeValue, but " + fieldAndType(f), "declare it map[string]types.AttributeValue"
		}
		p.Rest = f
	case core.RoleKey:
		if !keyable {
			return notKeyable(f)
		}
		if !f.CanSetKey() {
			return "the field cannot be parsed from a key", "add the method UnmarshalText to " + f.Node.Type.String()
		}
		f.KeyOnly = true
	}
	return "", ""
}

func (c *compiler) assignTTL(f *codec.Field, kind keys.Kind, stored codec.Wire) (reason, hint string) {
	switch {
	case kind == keys.KindTime:
		if err := f.StoreUnix(); err != nil {
			return "the time cannot be stored in seconds", "use a time.Time"
		}
	case f.Node.Type.Kind() != reflect.Int64 && f.Node.Type.Kind() != reflect.Int || inPackageTime(f.Node.Type):
		return "the role ttl needs a time.Time or an int64 of seconds since 1970, but " + fieldAndType(f), "declare it time.Time"
	case stored != codec.WireN:
		return "a time to live must be stored as N, but " + f.GoName + " is stored as " + stored.String(), numberHint(f, "time.Time")
	}
	f.OmitZero = true
	switch want := c.schema.TTL; {
	case want == "" || want == f.Name:
		c.plan.TTL = f
	case !c.invalidTags[f.GoName]:
		return fmt.Sprintf("the table's time to live attribute is %q, but the field is stored as %q", want, f.Name), fmt.Sprintf("name it by its tag: dynamodbav:%q", want)
	}
	return "", ""
}
