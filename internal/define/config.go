package define

import (
	"time"

	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/keys"
)

// Config describes a table. Its zero value is a table with the string keys PK and SK, no index, and a type attribute.
type Config struct {
	Partition core.Attribute // zero: PK, of type S
	Sort      core.Attribute // zero: SK, of type S
	NoSort    bool           // the table has no sort key
	Indexes   []Index

	TypeAttribute string // empty: "_type"; "-": none, types are told apart by their keys
	WriteID       string // empty: "_w"; "-": none
	TTL           string // the attribute that time to live is on for; empty: that of the ttl role; "-": none

	Delimiter string // empty: "#"; another one implies Raw
	Raw       bool   // values are written as they are
	Formats   map[string]keys.Format
	Clock     func() time.Time // nil: time.Now
}

// Index describes a secondary index of the table.
type Index struct {
	Name      string
	Partition []core.Attribute // empty: XPK for an index X; of a local index the table's
	Sort      []core.Attribute // empty: XSK
	NoSort    bool             // the index has no sort key
	Local     bool
	KeysOnly  bool     // projects keys only
	Include   []string // projects keys and these attributes
}
