package define

import (
	"reflect"
	"time"

	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/keys"
)

// Config describes a table. The zero value is a table with the string keys PK and SK, a type
// attribute, and no indexes.
type Config struct {
	Partition core.Attribute // zero: PK of type S
	Sort      core.Attribute // zero: SK of type S
	NoSort    bool           // the table has no sort key
	Indexes   []Index

	// TypeAttribute is "_type" if empty. "-" means none: the keys of items identify their types.
	TypeAttribute string
	WriteID       string // empty: "_w"; "-": none
	// TTL is the attribute of the table's time to live. If it is empty, the ttl role determines it.
	// "-" is an issue.
	TTL string

	Delimiter string // empty: "#"; any other delimiter implies Raw
	Raw       bool   // keys contain values without escaping
	Formats   map[string]keys.Format
	Clock     func() time.Time // nil: time.Now
}

// Index describes a secondary index of the table.
type Index struct {
	Name      string
	Partition []core.Attribute // empty: XPK for an index X; the table's for a local index
	Sort      []core.Attribute // empty: XSK for an index X
	NoSort    bool             // the index has no sort key
	Kind      core.IndexKind
	KeysOnly  bool     // projects only the keys
	Include   []string // projects the keys and these attributes
}

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
