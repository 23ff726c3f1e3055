package entity

import (
	"time"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/define"
	"github.com/trestledb/trestle/keys"
)

// None disables an attribute of [Config], as in TypeAttribute: entity.None.
const None = core.None

// Config configures a table and the entity types on it. The zero value is a table with the string
// keys PK and SK, no index, and the type name in the attribute _type.
type Config struct {
	Partition Attribute     // partition key; zero: S("PK")
	Sort      Attribute     // sort key; zero: S("SK")
	NoSort    bool          // the table has no sort key
	Indexes   []IndexConfig // secondary indexes

	// TypeAttribute is the attribute that holds the type name of an item; empty: "_type". With None
	// there is no such attribute, and items are matched to types by their keys.
	TypeAttribute string
	// WriteID is a reserved attribute name; empty: "_w". No field may use it, and reads ignore the
	// attribute. With None no name is reserved.
	WriteID string
	// TTL is the TTL attribute of the table; empty: the attribute of the fields with the role ttl.
	TTL string

	// Delimiter separates the parts of keys; empty: "#". Another delimiter implies Raw.
	Delimiter string
	// Raw writes values into keys unescaped, for tables that already hold such keys. A value that
	// contains the delimiter is then [trestle.ErrInvalid], except for the last value of its
	// template.
	Raw bool
	// Formats are custom key formats, by the name that templates use: <at:compact>.
	Formats map[string]keys.Format

	// Clock returns the time for timestamps and for the expiry of cursors; nil: time.Now.
	Clock func() time.Time
	// Observer is notified of every operation; nil: no observer.
	Observer trestle.Observer
}

// Attribute is the name and type of a key attribute. [S], [N] and [B] return one.
type Attribute struct {
	name string
	kind keys.AttrType
}

// S returns a key attribute of type string.
func S(name string) Attribute { return Attribute{name, keys.S} }

// N returns a key attribute of type number.
func N(name string) Attribute { return Attribute{name, keys.N} }

// B returns a key attribute of type binary.
func B(name string) Attribute { return Attribute{name, keys.B} }

// IndexKind is the kind of a secondary index.
type IndexKind uint8

// The kinds of secondary indexes. A global index may have up to four attributes on each side of its
// key; its keys are then the attributes themselves, without templates. A local index has the
// table's partition key and is created with the table.
const (
	GlobalIndex = IndexKind(core.GlobalIndex)
	LocalIndex  = IndexKind(core.LocalIndex)
)

// IndexConfig is a secondary index of the table.
type IndexConfig struct {
	Name string
	Kind IndexKind // zero: GlobalIndex
	// Partition and Sort are the key attributes. If they are nil, a global index has S(Name+"PK")
	// and S(Name+"SK"), and a local index has the table's partition key and S(Name+"SK").
	Partition, Sort []Attribute
	NoSort          bool // the index has no sort key
	// The index projects all attributes unless KeysOnly or Include is set.
	KeysOnly bool
	Include  []string
}

func (c Config) internal() define.Config {
	d := define.Config{
		Partition: c.Partition.internal(), Sort: c.Sort.internal(), NoSort: c.NoSort,
		TypeAttribute: c.TypeAttribute, WriteID: c.WriteID, TTL: c.TTL,
		Delimiter: c.Delimiter, Raw: c.Raw, Formats: c.Formats, Clock: c.Clock,
	}
	for _, x := range c.Indexes {
		d.Indexes = append(d.Indexes, define.Index{
			Name: x.Name, Partition: internal(x.Partition), Sort: internal(x.Sort),
			NoSort: x.NoSort, Kind: core.IndexKind(x.Kind), KeysOnly: x.KeysOnly, Include: x.Include,
		})
	}
	return d
}

func (a Attribute) internal() core.Attribute { return core.Attribute{Name: a.name, Type: a.kind} }

func internal(as []Attribute) []core.Attribute {
	var out []core.Attribute
	for _, a := range as {
		out = append(out, a.internal())
	}
	return out
}
