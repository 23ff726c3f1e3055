package shard

import (
	"fmt"

	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/internal/reserved"
)

// The attributes of the items of counters with a limit. A marker also has n and shard, as those of
// other counters.
const (
	attrFree  = "free"  // of the pool and of a shard: the quota that can be taken
	attrTaken = "taken" // of a shard: what was taken from it and not returned
	attrUntil = "until" // of a shard: when its lease expires, in nanoseconds since 1970
	// attrChanges is, of the pool and of a shard, the number of changes. Two reads with the same
	// number read the same item.
	attrChanges = "changes"

	attrLimit   = "limit"   // of the pool
	attrVersion = "version" // of the pool: the number of changes of the limit

	attrReturned = "returned" // of a marker: what it took was returned
)

// boundedAttributes are the attributes above.
var boundedAttributes = []string{attrFree, attrTaken, attrUntil, attrChanges, attrLimit, attrVersion, attrReturned}

// poolPart is the pool among the parts of a counter with a limit, whose shards are counted from 0.
const poolPart = -1

// limitKey returns the key of the pool or of a shard.
func (l *layout) limitKey(name string, of int) (op.Item, error) {
	part := "pool"
	if of != poolPart {
		part = fmt.Sprintf(shardForm, of)
	}
	return l.reserved(reserved.LimitKey(l.family, name, part))
}

// takenKey returns the key of the marker of a key.
func (l *layout) takenKey(name, key string) (op.Item, error) {
	return l.reserved(reserved.TakenKey(l.family, name, key))
}
