package define

import (
	"fmt"
	"reflect"
	"strings"
	"time"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/keys"
)

// roleRule is what a role needs of its field.
type roleRule struct {
	// assign gives the role to the field. It returns a reason and a hint if the field cannot have
	// it.
	assign func(*compiler, *codec.Field) (reason, hint string)
	// cause returns the cause that the role's issues share with issues elsewhere; nil for none.
	cause func(*compiler, *codec.Field) string
}

// roleRules has an entry for each role of [core.Roles].
var roleRules = map[string]roleRule{
	core.RoleVersion: {assign: (*compiler).assignVersion},
	core.RoleCreated: {assign: func(c *compiler, f *codec.Field) (string, string) {
		return assignTime(core.RoleCreated, f, &c.plan.Created)
	}},
	core.RoleUpdated: {assign: func(c *compiler, f *codec.Field) (string, string) {
		return assignTime(core.RoleUpdated, f, &c.plan.Updated)
	}},
	core.RoleTTL: {
		assign: (*compiler).assignTTL,
		cause:  func(_ *compiler, f *codec.Field) string { return "time to live in " + f.Name },
	},
	core.RoleRest:   {assign: (*compiler).assignRest},
	core.RoleUnique: {assign: (*compiler).assignUnique, cause: (*compiler).fieldCause},
	core.RoleKey:    {assign: (*compiler).assignKey, cause: (*compiler).fieldCause},
	core.RoleShard:  {assign: (*compiler).assignShard},
	core.RoleTenant: {assign: (*compiler).assignTenant, cause: (*compiler).fieldCause},
}

func assignTime(role string, f *codec.Field, to **codec.Field) (reason, hint string) {
	if kind, _ := f.KeyKind(); kind != keys.KindTime {
		return "the role " + role + " needs a time.Time, but " + fieldAndType(f), "declare it time.Time"
	}
	*to = f
	return "", ""
}

func (c *compiler) assignRest(f *codec.Field) (reason, hint string) {
	if err := c.plan.Shape.SetRest(f); err != nil {
		return "the role rest needs a map[string]types.AttributeValue, but " + fieldAndType(f), "declare it map[string]types.AttributeValue"
	}
	c.plan.Rest = f
	return "", ""
}

// assignShard gives a field the role shard: it holds the shard of an item if that is random.
func (c *compiler) assignShard(f *codec.Field) (reason, hint string) {
	kind, _ := f.KeyKind()
	t := f.Node.Type
	if kind != keys.KindInt || f.Node.Kind != codec.KindPtr || t.Elem().Kind() == reflect.Int8 || !f.CanSetKey() {
		return "the role shard needs a *int, which is nil until the shard is chosen, but " + fieldAndType(f), "declare it *int"
	}
	f.KeyOnly = true
	c.plan.Shard = f
	return "", ""
}

func (c *compiler) assignKey(f *codec.Field) (reason, hint string) {
	if _, ok := f.KeyKind(); !ok {
		return notKeyable(f)
	}
	if !f.CanSetKey() {
		return "the field cannot be parsed from a key", "add the method UnmarshalText to " + f.Node.Type.String()
	}
	f.KeyOnly = true
	return "", ""
}

func (c *compiler) assignTTL(f *codec.Field) (reason, hint string) {
	kind, _ := f.KeyKind()
	switch stored := f.Wire() &^ codec.WireNULL; {
	case kind == keys.KindTime:
		if err := f.StoreUnix(); err != nil {
			return "the time cannot be stored in seconds", "use a time.Time"
		}
	case f.Node.Type.Kind() != reflect.Int64 && f.Node.Type.Kind() != reflect.Int || inPackageTime(f.Node.Type):
		return "the role ttl needs a time.Time or an int64 of seconds since 1970, but " + fieldAndType(f), "declare it time.Time"
	case stored != codec.WireN:
		return "a time to live must be stored as N, but " + f.GoName + " is stored as " + stored.String(), numberHint(f, "time.Time")
	}
	if reason, hint := ttlInKey(c.schema, f.Name); reason != "" {
		return reason, hint
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

// ttlInKey returns why a key attribute cannot be the time to live, or "". The library stores the
// time to live in items of its own too, such as guards, which have a table's key of their own.
func ttlInKey(s *core.Schema, name string) (reason, hint string) {
	if name != "" && s.InTableKey(name) {
		return fmt.Sprintf("the time to live cannot be the attribute %q of the table's key, because the items of the library have both", name),
			"store it in another attribute, and put the time into the key by a template"
	}
	for _, a := range s.KeyAttributes() {
		if a.Name == name && a.Type != keys.N {
			return fmt.Sprintf("the time to live is the key attribute %q of type %s, but DynamoDB expires only items with a number", name, a.Type),
				"declare the attribute of type N, or put the time into another attribute by a template"
		}
	}
	return "", ""
}

// assignVersion rejects narrow integers: an update increments the attribute in the table, and a
// value out of the Go type's range cannot be decoded.
func (c *compiler) assignVersion(f *codec.Field) (reason, hint string) {
	t, stored := f.Node.Type, f.Wire()&^codec.WireNULL
	switch t.Kind() {
	case reflect.Int, reflect.Int64, reflect.Uint, reflect.Uint64:
	case reflect.Int8, reflect.Int16, reflect.Int32, reflect.Uint8, reflect.Uint16, reflect.Uint32:
		return fieldAndType(f) + ", which is too narrow for a version: after enough writes the item could not be decoded", "declare it int64"
	default:
		return "a version must be an integer, but " + fieldAndType(f), "declare it int64"
	}
	switch {
	case inPackageTime(t):
		return "a version must be a plain integer, but " + fieldAndType(f), "declare it int64"
	case stored != codec.WireN:
		return "a version must be stored as N, but " + f.GoName + " is stored as " + stored.String(), numberHint(f, "int64")
	}
	c.plan.Version = f
	return "", ""
}

// inPackageTime reports whether package time declares the type. Its integer types, such as
// Duration, do not hold seconds since 1970.
func inPackageTime(t reflect.Type) bool { return t.PkgPath() == reflect.TypeFor[time.Time]().PkgPath() }

// numberHint returns the hint for a field that is not stored as a number.
func numberHint(f *codec.Field, otherwise string) string {
	if f.Has(codec.AsString) {
		return "leave out the option string"
	}
	return "declare it " + otherwise
}

// notKeyable returns why a field cannot be part of a key.
func notKeyable(f *codec.Field) (reason, hint string) {
	if f.Node.TimeText() {
		return fieldAndType(f) + ", which is stored as the text of the time that it embeds: that text includes the time zone and does not sort by time",
			"declare it time.Time"
	}
	hint = "use a field of another type"
	if base := pointedTo(f.Node.Type); base.Name() != "" && base.PkgPath() != "" {
		hint += ", or give " + base.String() + " the methods MarshalText and UnmarshalText"
	}
	return fieldAndType(f) + ", but only text, numbers, times, booleans and bytes can be part of a key", hint
}

// pointedTo returns the type that pointers of type t lead to.
func pointedTo(t reflect.Type) reflect.Type {
	for t.Kind() == reflect.Pointer && t.Name() == "" {
		t = t.Elem()
	}
	return t
}

// fieldAndType returns the name of a field and its type, such as "Total is a string".
func fieldAndType(f *codec.Field) string { return f.GoName + " is " + article(f.Node.Type) }

// article returns the name of a type after "a" or "an".
func article(t reflect.Type) string {
	name := t.String()
	if strings.ContainsAny(name[:1], "aeioAEIO") {
		return "an " + name
	}
	return "a " + name
}
