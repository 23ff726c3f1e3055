package entity

import "github.com/trestledb/trestle/internal/define"

// Spec declares what struct tags declare, for types that cannot import this package; see
// [DefineSpec].
type Spec struct {
	Type    string // type name
	Key     KeySpec
	Indexes []IndexSpec
	// Roles are the roles of fields, by attribute name: {"version": "version", "updated_at":
	// "updated"}.
	Roles map[string]string
}

// KeySpec is what the tags of a [Key] field declare.
type KeySpec struct {
	PK, SK string // templates
	Shared bool
}

// IndexSpec is what the tags of an [Index] field declare.
type IndexSpec struct {
	Name   string // name of the access pattern
	On     string // the index
	PK, SK string // templates
	Shared bool
}

func (s Spec) internal() *define.Spec {
	d := &define.Spec{Type: s.Type, Key: define.Keys(s.Key), Roles: s.Roles}
	for _, x := range s.Indexes {
		d.Indexes = append(d.Indexes, define.IndexSpec(x))
	}
	return d
}
