package reserved

import "github.com/trestledb/trestle/internal/keyspace"

// The values of the type attribute of the items of counters with a limit.
const (
	LimitType = Prefix + "#limit" // the pool, or a shard
	TakenType = Prefix + "#taken" // the marker of a key that took quota
)

// LimitKey returns the key of the pool or of a shard of a counter with a limit, as GuardKey does.
// part must not be ambiguous.
func LimitKey(family, name, part string) (partition, sort, sortNumber string) {
	return spread(counterPrefix(LimitType, family, name) + part)
}

// TakenKey returns the key of the marker of a key that took quota, as GuardKey does.
func TakenKey(family, name, key string) (partition, sort, sortNumber string) {
	return spread(counterPrefix(TakenType, family, name) + keyspace.Escaped.Segment(key))
}
