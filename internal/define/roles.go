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
	roleNames = []string{core.RoleVersion, core.RoleCreated, core.RoleUpdated, core.RoleTTL, core.RoleRest, core.RoleKey}
	planned   = []string{"unique", "tenant"}
)

// roleText is the role that a tag or a Spec assigns to a field.
type roleText struct {
	index []int  // the field, if a tag assigns the role
	name  string // the field's attribute, if a Spec assigns the role
	path  string
	text  string
	pos   int
}

// roleOf records the role in a field's tag.
func (c *compiler) roleOf(path string, index []int, pairs tag.Pairs) {
	if text, ok := pairs.Lookup(roleTag); ok {
		c.roled = append(c.roled, roleText{index: index, path: path, text: text, pos: index[0]})
	}
}

// roles assigns the roles to fields.
func (c *compiler) roles(spec *Spec) {
	if spec != nil {
		for _, name := range slices.Sorted(maps.Keys(spec.Roles)) {
			c.roled = append(c.roled, roleText{name: name, path: "Spec.Roles " + name, text: spec.Roles[name], pos: -1})
		}
	}
	first := map[string]string{} // maps a role to its first field
	for _, r := range c.roled {
		f := c.roleField(r)
		role, ok := c.roleName(r)
		if f == nil || !ok {
			continue
		}
		if other, again := first[role]; again && role != core.RoleKey {
			c.roleFault(r, "the role "+role+" is also given to "+other, "drop it from one of the two")
			continue
		}
		first[role] = f.GoName
		if reason, hint := c.assign(role, f); reason != "" {
			c.blame(c.causeOf(role, f), r.fault(reason, hint))
		}
	}
}

// causeOf returns the cause of a fault of a role. It is empty unless other places can have the same
// cause.
func (c *compiler) causeOf(role string, f *codec.Field) string {
	switch role {
	case core.RoleKey:
		return c.typeOf(f)
	case core.RoleTTL:
		return "time to live in " + f.Name
	default:
		return ""
	}
}

func (c *compiler) roleFault(r roleText, reason, hint string) { c.add(r.fault(reason, hint)) }

func (r roleText) fault(reason, hint string) located {
	key := roleTag
	if r.index == nil {
		key = ""
	}
	return located{Fault{Field: r.path, Tag: key, Text: r.text, Offset: -1, Reason: reason, Hint: hint}, r.pos}
}

func (c *compiler) roleField(r roleText) *codec.Field {
	if r.index == nil {
		if f := c.plan.Shape.ByName(r.name); f != nil {
			return f
		}
		reason, hint := c.noAttribute(r.name, func(name string) string { return name })
		c.roleFault(r, reason, hint)
		return nil
	}
	if f, rest := c.plan.Shape.ByIndex(r.index); f != nil && len(rest) == 0 {
		return f
	}
	hint := "drop the role, or the " + notStored
	if r.text == core.RoleKey {
		hint = "a field in keys only needs the name that templates have for it: tag it dynamodbav:\"name\" instead of " + notStored
	}
	c.roleFault(r, "the field has a role and is not stored", hint)
	return nil
}

// roleName returns the role. It reports a fault and returns false if the role is unknown or not
// supported.
func (c *compiler) roleName(r roleText) (string, bool) {
	role := r.text
	switch {
	case slices.Contains(roleNames, role):
		return role, true
	case slices.Contains(planned, role):
		c.roleFault(r, "the role "+role+" is not supported yet", "leave it out")
	case role == "":
		c.roleFault(r, "the role is empty", "the roles are "+list(roleNames))
	case strings.Contains(role, ","):
		c.roleFault(r, "a field has one role", "keep one of them")
	default:
		hint := "the roles are " + list(roleNames)
		if meant := tag.Suggest(role, append(roleNames, planned...)); meant != "" {
			hint = "did you mean " + meant + "?"
		}
		c.roleFault(r, "there is no role "+role, hint)
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
		if reason, hint := notVersion(f, stored); reason != "" {
			return reason, hint
		}
		p.Version = f
	case core.RoleCreated, core.RoleUpdated:
		if !keyable || kind != keys.KindTime {
			return "the role " + role + " is for a time.Time, and " + isA(f), "declare it time.Time"
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
			return "the role rest is for a map[string]types.AttributeValue, and " + isA(f), "declare it map[string]types.AttributeValue"
		}
		p.Rest = f
	case core.RoleKey:
		if !keyable {
			return notKeyable(f)
		}
		if !f.CanSetKey() {
			return "it cannot be read back from a key", f.Node.Type.String() + " needs an UnmarshalText beside its MarshalText"
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
	case f.Node.Type.Kind() != reflect.Int64 && f.Node.Type.Kind() != reflect.Int || ofPackageTime(f.Node.Type):
		return "the role ttl is for a time.Time, or an int64 of seconds since 1970, and " + isA(f), "declare it time.Time"
	case stored != codec.WireN:
		return "a time to live is stored as a number, and " + f.GoName + " as " + stored.String(), asNumber(f, "time.Time")
	}
	f.OmitZero = true
	switch want := c.schema.TTL; {
	case want == "" || want == f.Name:
		c.plan.TTL = f
	case !c.doubtful[f.GoName]:
		return fmt.Sprintf("the table's time to live is on for %q, and the field is stored as %q", want, f.Name), fmt.Sprintf("name it by its tag: dynamodbav:%q", want)
	}
	return "", ""
}
