package shard

import "time"

// Config has the settings of [Counters]. The zero value is a family of counters of one shard that
// count each increment once, in mode [ExactForever].
//
// All programs that use the counters of a family must have the same Keys, Regions and
// MultiRegionStrong, and a Mode of the same form: ExactForever, ExactWindow and Approximate can
// replace each other, because their values are in the same shards. With a Mode of another form,
// each method that needs the counter fails with [trestle.ErrInvalid]. They may have different
// numbers of shards: the first program that uses a counter determines its number, and later
// [Counters.Resize].
type Config struct {
	Mode Mode // zero: ExactForever

	// Shards is the number of shards of a new counter, from 1 to 1000. 0 means 1. See [For]. In
	// mode WriterOwned it has no effect: each Writer has items of its own.
	Shards int
	// MaxShards lets a counter grow: if DynamoDB throttles an increment because of its shard, the
	// number of shards is doubled, up to this number. 0 means that a counter does not grow by
	// itself. In mode Events it must be 0.
	MaxShards int
	// GrowEvery is the minimum time between two such doublings of a counter, by the clock of the
	// schema. 0 means 10 seconds.
	GrowEvery time.Duration
	// Refresh is how long the number of shards that was read is used for increments. 0 means 1
	// minute. An old number is never wrong, but less efficient after a resize.
	Refresh time.Duration

	// MarkerLife lets the markers of ExactForever expire after this time, by the TTL attribute of
	// the schema. An increment that is repeated can count again when DynamoDB has deleted the
	// expired marker, which takes up to some days. 0 means that they never expire.
	MarkerLife time.Duration

	// WriterIdle is how long a Writer has not flushed a counter when Drain moves its value to the
	// total item. 0 means 1 hour. That of a closed Writer is moved at once.
	WriterIdle time.Duration

	// Listed keeps a list of the names of the family's counters, for [Counters.Names],
	// [Counters.Top] and [Counters.RollUpAll]. The first increment of a name by each Counters costs
	// another write unit. It needs a table with a sort key of type S.
	Listed bool
	// Names is a list of the names that does not change, instead of Listed. Other names are
	// refused.
	Names []string

	// Keys are the keys and attributes of counters that a table already has. Nil means the keys
	// that the library reserves.
	Keys *Keys

	// Region is the Region of this program, and Regions are all Regions of a global table that is
	// eventually consistent. Each Region then counts in shards of its own, because concurrent
	// writes of one item in two Regions overwrite each other. Transactions are not possible, so
	// neither are the modes ExactWindow and ExactForever, and what needs one. If only one Region
	// writes, leave both empty.
	Region  string
	Regions []string
	// MultiRegionStrong declares that the table is a global table with multi-Region strong
	// consistency, which has no transactions.
	MultiRegionStrong bool
}

// The defaults of durations.
const (
	defaultGrowEvery = 10 * time.Second
	defaultRefresh   = time.Minute
	defaultIdle      = time.Hour
)

// withDefaults returns the configuration without zero values that mean another value.
func (c Config) withDefaults() Config {
	if c.Shards == 0 {
		c.Shards = 1
	}
	if c.GrowEvery == 0 {
		c.GrowEvery = defaultGrowEvery
	}
	if c.Refresh == 0 {
		c.Refresh = defaultRefresh
	}
	if c.WriterIdle == 0 {
		c.WriterIdle = defaultIdle
	}
	return c
}

// regions returns the Regions that have shards of their own; one without a name for a table that is
// not global.
func (c *Config) regions() []string {
	if len(c.Regions) == 0 {
		return []string{""}
	}
	return c.Regions
}

// noTransactions returns why there are no transactions, and the hint, or "" if there are.
func (c *Config) noTransactions() (reason, hint string) {
	switch {
	case len(c.Regions) > 0:
		return "it needs transactions, which are not atomic across the Regions of a global table; markers and tokens hold within a Region only",
			"if only one Region writes, leave Region and Regions out"
	case c.MultiRegionStrong:
		return "it needs transactions, which a global table with strong consistency does not have", "use mode Approximate, Events or WriterOwned"
	default:
		return "", ""
	}
}
