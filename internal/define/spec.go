package define

import "reflect"

// Markers are the types of the blank fields that declare keys. The caller declares these types, so
// that its documentation shows them.
type Markers struct {
	Key   reflect.Type
	Index reflect.Type
}

// Spec declares keys and roles outside of the struct, as an alternative to tags.
type Spec struct {
	Type    string // the value of the type attribute
	Key     Keys
	Indexes []IndexSpec
	Roles   map[string]string // maps an attribute name to its role, such as "version"
}

// Keys holds the templates of the table's key.
type Keys struct {
	PK, SK string
	Shared bool // another type intentionally has the same keys
}

// IndexSpec declares an access pattern: its name, its index, and the templates of the index's key.
type IndexSpec struct {
	Name, On, PK, SK string
	Shared           bool
}
