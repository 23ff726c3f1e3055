// Package core holds what all rooms of the library speak of: the plan that Define compiled of an entity type, the schema that plans
// share, and the path of an attribute. It holds data and no behavior of its own beyond looking things up.
package core
