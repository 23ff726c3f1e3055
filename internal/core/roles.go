package core

// The names of the roles of fields, as tags and descriptions of schemas have them.
const (
	RoleVersion = "version"
	RoleCreated = "created"
	RoleUpdated = "updated"
	RoleTTL     = "ttl"
	RoleRest    = "rest"
	RoleKey     = "key"
)
