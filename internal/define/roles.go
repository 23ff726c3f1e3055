package define

import (
	"maps"
	"slices"
	"strings"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/tag"
)

// declaredRole is the role that a tag or a Spec assigns to a field.
type declaredRole struct {
	place
	index []int  // the field, if a tag assigns the role
	name  string // the field's attribute, if a Spec assigns the role
}

// readRole records the role in a field's tag.
func (c *compiler) readRole(path string, index []int, pairs tag.Pairs) {
	if text, ok := pairs.Lookup(roleTag); ok {
		c.declaredRoles = append(c.declaredRoles, declaredRole{place{path, roleTag, text, index[0]}, index, ""})
	}
}

// assignRoles assigns the roles to fields.
func (c *compiler) assignRoles() {
	if spec := c.spec; spec != nil {
		for _, name := range slices.Sorted(maps.Keys(spec.Roles)) {
			c.declaredRoles = append(c.declaredRoles, declaredRole{place{"Spec.Roles " + name, "", spec.Roles[name], -1}, nil, name})
		}
	}
	first := map[string]string{} // maps a role to its first field
	for _, r := range c.declaredRoles {
		f := c.roleField(r)
		role, ok := c.roleNamed(r)
		if f == nil || !ok {
			continue
		}
		if other, again := first[role.Name]; again && role.Field != nil {
			c.add(r.issue("the role "+role.Name+" is already assigned to "+other, "drop the role from one of the two"))
			continue
		}
		first[role.Name] = f.GoName
		rule := roleRules[role.Name]
		if reason, hint := rule.assign(c, f); reason != "" {
			issue := r.issue(reason, hint)
			if rule.cause != nil {
				issue.Cause = rule.cause(c, f)
			}
			c.add(issue)
		}
	}
}

func (c *compiler) roleField(r declaredRole) *codec.Field {
	if r.index == nil {
		if f := c.plan.Shape.ByName(r.name); f != nil {
			return f
		}
		reason, hint := c.unknownAttribute(r.name, func(name string) string { return name })
		if path := c.unstoredField(r.name); path != "" {
			reason, hint = notStored(path, r.name)
		}
		c.add(r.issue(reason, hint))
		return nil
	}
	if f, rest := c.plan.Shape.ByIndex(r.index); f != nil && len(rest) == 0 {
		return f
	}
	hint := "drop the role, or the " + unstoredTag
	if r.text == core.RoleKey {
		hint = "a field with the role key needs the name that templates use: tag it dynamodbav:\"name\" instead of " + unstoredTag
	}
	c.add(r.issue("the field has a role but is not stored", hint))
	return nil
}

// roleNamed returns the role. It reports an issue and returns false if the role is unknown.
func (c *compiler) roleNamed(r declaredRole) (core.Role, bool) {
	role, known := core.RoleNamed(r.text)
	switch {
	case known:
		return role, true
	case r.text == "":
		c.add(r.issue("the role is empty", roleHint("")))
	case strings.Contains(r.text, ","):
		c.add(r.issue("a field can have only one role", "keep one of them"))
	default:
		c.add(r.issue("unknown role "+r.text, roleHint(r.text)))
	}
	return core.Role{}, false
}

// roleHint returns a hint with the role that was probably meant, or with all roles.
func roleHint(word string) string {
	var all []string
	for _, r := range core.Roles() {
		all = append(all, r.Name)
	}
	if meant := tag.Suggest(word, all); meant != "" {
		return "did you mean " + meant + "?"
	}
	return "the roles are " + joinWords(all)
}
