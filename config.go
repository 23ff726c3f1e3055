package trestle

import (
	"time"

	"github.com/trestledb/trestle/keys"
)

// None disables an attribute of [Config], as in TypeAttribute: entity.None.
const None = "-"

// Config configures a table and the entity types on it. The zero value is a table with the string
// keys PK and SK, no index, and the type name in the attribute _type.
type Config struct {
	Partition Attribute     // partition key; zero: S("PK")
	Sort      Attribute     // sort key; zero: S("SK")
	NoSort    bool          // the table has no sort key
	Indexes   []IndexConfig // secondary indexes

	// TypeAttribute is the attribute that holds the type name of an item; empty: "_type". With None
	// there is no such attribute, and items are matched to types by their keys, so no two types can
	// share a key. With an attribute, items without it are matched by their keys, too.
	TypeAttribute string
	// WriteID is the attribute that holds the ID of a write, 12 random bytes; empty: "_w". No field
	// may use it, and reads ignore it. A write that can be applied only once stores its ID in the
	// item: a create, and a write that checks a version. If its reply is lost, it is sent again,
	// and recognizes by the ID that it was applied. With None there is no such attribute, and the
	// write fails with ErrUnknown instead.
	WriteID string
	// TTL is the name of the TTL attribute; empty: the attribute of the fields with the role ttl.
	// It is no attribute of the table's key. As a key attribute of an index it has type N.
	TTL string

	// Delimiter separates the parts of keys; empty: "#". Another delimiter implies Raw.
	Delimiter string
	// Raw writes values into keys unescaped, for tables that already hold such keys. A value that
	// contains the delimiter then fails with ErrInvalid, unless it is the last value of its
	// template.
	Raw bool
	// Formats are custom key formats, by the name that templates use: <at:compact>.
	Formats map[string]keys.Format

	// TenantIndex names the index that has all items of a tenant, so that package maintain finds
	// them without a scan. It is a global index. Its partition key is an attribute of type S, and
	// that of each type with a tenant is the tenant alone, as in pk:"TENANT#<tenant>". It has no
	// sort key, or one of type S in which no field can be absent. Neither attribute is in another
	// key. If the partition key is the attribute of the tenant itself, types need not declare it,
	// and a tenant cannot contain the delimiter. All types share the index, without shared:"yes".
	// The library's own items of tenants are on it too: guards of unique values, counters, markers,
	// locks and chunks of documents. Each costs one write unit more when it is stored and when it
	// is deleted, and none for other changes if the index is KeysOnly, which is enough. Without a
	// TenantIndex, items of tenants are found by a scan.
	//
	// If the table has items when it is set, first deploy all writers, and then call Reindex of
	// package maintain without types. Until then, a removal by the index fails with ErrInvalid.
	//
	// With None, a removal also needs no scan if the partition key of each type, or of an index
	// that all its items are on, has no other field than the tenant and a shard. Counters, locks
	// and documents on the handle of a tenant then fail with ErrInvalid, because nothing would lead
	// to their items.
	TenantIndex string

	// Clock returns the time for timestamps, lifetimes and expired items, for the expiry of
	// cursors, and for the leases of locks; nil: time.Now. The option Clock of package entity sets
	// it for one table, such as that of a test.
	Clock func() time.Time
	// Observer is notified of every operation; nil: no observer.
	Observer Observer
}

// Attribute is the name and type of a key attribute. The functions S, N and B of package entity
// return one.
type Attribute struct {
	Name string
	Type keys.AttrType // empty: S
}

// IndexConfig is a secondary index of the table.
type IndexConfig struct {
	Name string
	Kind IndexKind // zero: GlobalIndex
	// Partition and Sort are the key attributes. If they are nil, a global index has S(Name+"PK")
	// and S(Name+"SK"), and a local index has the table's partition key and S(Name+"SK").
	Partition, Sort []Attribute
	NoSort          bool // the index has no sort key
	// The index projects all attributes, unless KeysOnly is set or Include lists the attributes
	// that it projects in addition to the keys of the index and of the table; keys among them make
	// no difference. A write that changes no projected attribute does not write the index. A query
	// of an index that lacks attributes reads a smaller struct, or reads the items too: see
	// Query.Fetch of package query.
	KeysOnly bool
	Include  []string
}

// IndexKind is the kind of a secondary index.
type IndexKind uint8

// The kinds of secondary indexes. A global index may have up to four partition key attributes and
// four sort key attributes. If it has more than one of either, all of them are attributes of the
// item, without templates. A local index has the partition key of the table, and can only be
// created with the table.
const (
	GlobalIndex IndexKind = iota
	LocalIndex
	MultiAttributeIndex // the same as GlobalIndex, for an index with several partition or sort keys
)

// Spec declares what struct tags declare, for types that cannot import package entity. The function
// DefineSpec of that package takes it.
type Spec struct {
	Type    string // type name
	Key     KeySpec
	Indexes []IndexSpec
	Uniques []UniqueSpec
	Counted []CountedSpec
	// Roles are the roles of fields, by attribute name: {"version": "version", "updated_at":
	// "updated"}.
	Roles map[string]string
}

// KeySpec is what the tags of an entity.Key field declare.
type KeySpec struct {
	PK, SK string // templates
	Shared bool   // another type has the same templates on purpose
	Shards []int  // the numbers of shards of the partition key, the current one last; nil: no shards
	// Lifetime is the time from a write to the expiry of an item that has no time to live; 0: it
	// does not expire.
	Lifetime time.Duration
}

// CountedSpec is what the tags of an entity.Counted field declare.
type CountedSpec struct {
	In     string // the type of the counting item
	As     string // its attribute that holds the count
	PK, SK string // the templates of its key, with fields of the counted type
}

// UniqueSpec is what the tags of an entity.Unique field declare.
type UniqueSpec struct {
	Name string // for errors; empty: the fields of the template
	Key  string // template
}

// IndexSpec is what the tags of an entity.Index field declare.
type IndexSpec struct {
	Name   string // name of the access pattern
	On     string // the index
	PK, SK string // templates
	Shared bool   // another type has the same templates on purpose
	Shards []int  // the numbers of shards of the partition key, the current one last; nil: no shards
}
