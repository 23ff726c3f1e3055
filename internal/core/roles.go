package core

import "github.com/trestledb/trestle/internal/codec"

// The names of the roles of fields, as tags and descriptions of schemas have them.
const (
	RoleVersion = "version"
	RoleCreated = "created"
	RoleUpdated = "updated"
	RoleTTL     = "ttl"
	RoleRest    = "rest"
	RoleKey     = "key"
	RoleUnique  = "unique"
	RoleShard   = "shard"
	RoleTenant  = "tenant"
)

// FieldRoles holds the fields of an entity type that have a role; nil if the type has none.
type FieldRoles struct {
	Version *codec.Field
	Created *codec.Field
	Updated *codec.Field
	TTL     *codec.Field
	Rest    *codec.Field
	Shard   *codec.Field // holds the random shard of the table's key
	Tenant  *codec.Field // holds the tenant that all keys start with
}

// Role is a role that a tag or a Spec gives to a field.
type Role struct {
	Name string
	// Field returns the field with the role, or nil. Field itself is nil for roles that several
	// fields can have, which descriptions do not list.
	Field func(*FieldRoles) *codec.Field
	// NoAttribute is set if the field is not stored as an attribute. Descriptions then name none.
	NoAttribute bool
}

// roles lists all roles in the order of descriptions.
var roles = []Role{
	{Name: RoleVersion, Field: func(f *FieldRoles) *codec.Field { return f.Version }},
	{Name: RoleCreated, Field: func(f *FieldRoles) *codec.Field { return f.Created }},
	{Name: RoleUpdated, Field: func(f *FieldRoles) *codec.Field { return f.Updated }},
	{Name: RoleTTL, Field: func(f *FieldRoles) *codec.Field { return f.TTL }},
	{Name: RoleRest, Field: func(f *FieldRoles) *codec.Field { return f.Rest }, NoAttribute: true},
	{Name: RoleKey},
	{Name: RoleUnique},
	{Name: RoleShard, Field: func(f *FieldRoles) *codec.Field { return f.Shard }, NoAttribute: true},
	{Name: RoleTenant, Field: func(f *FieldRoles) *codec.Field { return f.Tenant }},
}

// Roles returns all roles in the order of descriptions. The slice must not be changed.
func Roles() []Role { return roles }

// RoleNamed returns the role of that name. It returns false if there is none.
func RoleNamed(name string) (Role, bool) {
	for _, r := range roles {
		if r.Name == name {
			return r, true
		}
	}
	return Role{}, false
}
