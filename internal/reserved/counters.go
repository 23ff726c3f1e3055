package reserved

import (
	"fmt"

	"github.com/trestledb/trestle/internal/keyspace"
)

// The values of the type attribute of the items of counters.
const (
	CountType = Prefix + "#count" // a shard, a total item, or a writer's item
	MarkType  = Prefix + "#mark"  // the marker of an increment that was counted
	EventType = Prefix + "#event" // an event
	NamesType = Prefix + "#names" // the name of a counter in the list of its family
)

// CounterKey returns the key of an item of a counter, as GuardKey does: of a shard or of the total
// item. part must not be ambiguous.
func CounterKey(family, name, part string) (partition, sort, sortNumber string) {
	return spread(counterPrefix(CountType, family, name) + part)
}

// MarkKey returns the key of the marker of an increment of a counter, as GuardKey does.
func MarkKey(family, name, key string) (partition, sort, sortNumber string) {
	return spread(counterPrefix(MarkType, family, name) + keyspace.Escaped.Segment(key))
}

// EventPartition returns the partition key of a part of a counter's events.
func EventPartition(family, name, part string) string {
	return counterPrefix(EventType, family, name) + part
}

// NamesPartition returns the partition key of a part of the list of a family's counters.
func NamesPartition(family string, bucket int) string {
	return fmt.Sprintf("%s#%s#%02d", NamesType, keyspace.Escaped.Segment(family), bucket)
}

func counterPrefix(itemType, family, name string) string {
	return itemType + "#" + keyspace.Escaped.Segment(family) + "#" + keyspace.Escaped.Segment(name) + "#"
}
