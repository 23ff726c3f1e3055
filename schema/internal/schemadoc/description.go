package schemadoc

import (
	"slices"
	"time"
)

// Description is a parsed description of a schema.
type Description struct {
	Encoding    string            // how keys encode values
	Table       string            // the table's key
	TableKey    []string          // the attributes of the table's key
	TypeAttr    string            // empty: keys identify the types
	TTL         string            // empty: none
	Recorded    bool              // writes recorded the partitions of tenants, as only earlier versions do
	TenantIndex string            // its name and the form of its keys; "none": items are only of types; empty: none
	Formats     map[string]string // sample output of the custom formats, by name and kind
	Indexes     []*Index
	Entities    []*Entity
}

// Index is an index in a description.
type Index struct {
	Name  string
	Text  string // its key attributes and projection
	Local bool
}

// Entity is a type in a description.
type Entity struct {
	Name       string
	Keys       map[string]Key    // by attribute name
	Uniques    map[string]Key    // the unique values by name
	Counts     []Count           // the items that count those of the type
	Roles      map[string]string // the attribute of each role; "" for the role rest
	Lifetime   time.Duration     // 0: none
	Attributes map[string]*Layout
}

// Key is the value of a key attribute.
type Key struct {
	Text     string // as it is in the description
	Template string
	Kinds    []string          // the kinds of the values whose text depends on it
	Type     string            // the attribute type
	Shards   []int             // the numbers of shards, the current one last; nil: no shards
	Sharding Sharding          // where the shard comes from
	Absent   map[string]string // the value that keeps an item off an index, by placeholder
}

// Count is a count of the items of a type in another item.
type Count struct {
	In, As string // the type of the counting item, and its attribute
	Text   string // the templates of its key, and when an item is not counted
}

// Layout describes how an attribute is stored.
type Layout struct {
	Text     string
	Types    []string // the attribute types
	GoType   GoType
	Contents *Contents // nil: no contents, or unknown
}

// Contents is what a list, a set, a map or a struct contains.
type Contents struct {
	Fields   map[string]*Layout // nil unless it is a struct
	Elements *Layout            // of a list, a set or a map
	Keys     *Layout            // of a map; nil: strings
}

// Index returns the index with a name, or nil.
func (d *Description) Index(name string) *Index {
	return find(d.Indexes, func(x *Index) bool { return x.Name == name })
}

// Entity returns the type with a name, or nil.
func (d *Description) Entity(name string) *Entity {
	return find(d.Entities, func(e *Entity) bool { return e.Name == name })
}

func find[T any](list []*T, is func(*T) bool) *T {
	if i := slices.IndexFunc(list, is); i >= 0 {
		return list[i]
	}
	return nil
}
