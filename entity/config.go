package entity

import (
	"time"

	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/define"
	"github.com/trestledb/trestle/keys"
)

// None switches an attribute off where the [Config] names one: TypeAttribute: entity.None.
const None = core.None

// Config is what the entity types of a table share. The zero value is a table with the keys PK and SK, text both, no index, and
// the type name in the attribute _type.
type Config struct {
	Partition Attribute     // partition key; zero: S("PK")
	Sort      Attribute     // sort key; zero: S("SK")
	NoSort    bool          // the table has no sort key
	Indexes   []IndexConfig // secondary indexes

	// TypeAttribute holds an item's type name; empty: "_type". With None there is no such attribute, and types are told
	// apart by their keys.
	TypeAttribute string
	// WriteID is an attribute name that is kept free for the library's own mark on an item; empty: "_w". No field may have it, and items that
	// carry it are read as if they did not. With None no name is kept free.
	WriteID string
	// TTL is the attribute that the table's time to live is switched on for; empty: that of the fields with the role ttl.
	TTL string

	// Delimiter sets the parts of keys off; empty: "#". Another one implies Raw.
	Delimiter string
	// Raw writes values into keys as they are, for tables that hold such keys already. A value that holds the delimiter is then
	// refused, except the last one of its template.
	Raw bool
	// Formats are the table's own formats for keys, by the name that templates use: <at:compact>.
	Formats map[string]keys.Format

	// Clock tells the time that stamps are made of, and that cursors expire by; nil: time.Now.
	Clock func() time.Time
	// Observer is notified of every operation; nil: there is none.
	Observer Observer
}

// Attribute is a key attribute's name and type; make it with [S], [N] or [B].
type Attribute struct {
	name string
	kind keys.AttrType
}

// S is a key attribute that holds text.
func S(name string) Attribute { return Attribute{name, keys.S} }

// N is a key attribute that holds a number.
func N(name string) Attribute { return Attribute{name, keys.N} }

// B is a key attribute that holds binary data.
func B(name string) Attribute { return Attribute{name, keys.B} }

// IndexConfig is a secondary index of the table: global, unless it is Local.
type IndexConfig struct {
	Name string
	// Partition and Sort are its key attributes; nil: S(Name+"PK") and S(Name+"SK"), of a local index the table's partition key
	// and S(Name+"SK"). A global index may have up to four of each: then items are keyed by these attributes as they are.
	Partition, Sort []Attribute
	NoSort          bool // the index has no sort key
	Local           bool // a local secondary index: made with the table, strongly readable
	// Without KeysOnly and Include the index projects every attribute.
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
			NoSort: x.NoSort, Local: x.Local, KeysOnly: x.KeysOnly, Include: x.Include,
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
