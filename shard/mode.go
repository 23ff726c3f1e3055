package shard

// Mode is how a counter counts: whether a repeated increment counts once, and what an increment
// costs.
type Mode uint8

// The modes.
const (
	// ExactForever stores a marker item with each increment, in one transaction. An increment that
	// is repeated with the same key counts once, as long as the marker exists. An increment costs 4
	// write units, and the storage of its marker.
	ExactForever Mode = iota
	// ExactWindow sends each increment as a transaction of one action, with a token. An increment
	// that is repeated with the same key within 10 minutes counts once. Near their end, use
	// OnceSince, which sends nothing that could arrive too late. An increment costs 2 write units.
	ExactWindow
	// Approximate adds to a random shard. An increment whose reply is lost fails with ErrUnknown
	// and is never sent again. So the count differs from the true one by at most the increments
	// that failed with ErrUnknown. An increment costs 1 write unit.
	Approximate
	// Events stores an item for each increment. An increment that is repeated with the same key
	// counts once. The items are an audit list. An increment costs 1 write unit, and a total reads
	// all items.
	Events
	// WriterOwned counts in memory, in a Writer. Each Writer stores its sum in items of its own. A
	// flush costs 1 write unit for each counter that changed, whatever the number of increments.
	WriterOwned
)

var modes = [...]string{"exact forever", "exact window", "approximate", "events", "writer owned"}

// String returns the name of the mode, such as "exact window".
func (m Mode) String() string {
	if !m.known() {
		return "unknown mode"
	}
	return modes[m]
}

func (m Mode) known() bool { return int(m) < len(modes) }

// form returns where the values of the counters are, as it is stored. Modes of the same form can
// replace each other.
func (m Mode) form() string {
	switch m {
	case Events:
		return "events"
	case WriterOwned:
		return "writers"
	default:
		return "shards"
	}
}

// sharded reports whether the values are in numbered shards, whose number can change.
func (m Mode) sharded() bool { return m != Events && m != WriterOwned }
