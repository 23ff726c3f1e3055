package define

import "reflect"

// Markers are the types of the blank fields that declare keys. They are the caller's, so that its documentation shows them.
type Markers struct {
	Key   reflect.Type
	Index reflect.Type
}

// Spec declares what the tags of a struct otherwise do, outside of it.
type Spec struct {
	Type    string // the name that the type attribute holds
	Key     Keys
	Indexes []IndexSpec
	Roles   map[string]string // attribute name to role, such as "version"
}

// Keys are the templates of the table's key.
type Keys struct {
	PK, SK string
	Shared bool // another type has the same on purpose
}

// IndexSpec declares an access pattern: a name, the index that serves it, and the templates of the index's key.
type IndexSpec struct {
	Name, On, PK, SK string
	Shared           bool
}
