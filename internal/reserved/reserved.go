// Package reserved defines the names that the library reserves: the keys of its own items, and the
// attributes that it adds to other items.
//
// The library stores its own items next to those of the entities: guards of unique values, markers,
// shards. The partition key of each contains a segment that starts with Prefix: the first segment,
// or the first one after the tenant's part. An entity cannot have such a key: literals of templates
// contain no '$', escaping never writes 'U' after one, and an unescaped value that starts with
// Prefix is an error. Readers skip and count these items.
package reserved

import (
	"fmt"
	"hash/fnv"
	"strconv"
	"strings"

	"github.com/trestledb/trestle/internal/keyspace"
)

// Prefix starts the first variable segment of the partition key of the library's own items.
const Prefix = "$U"

// The attributes that the library adds to an entity's item. The schema's configuration can rename
// them.
const (
	TypeAttribute = "_type" // the entity's type name
	// WriteIDAttribute holds the ID of a write that was applied to the item. It distinguishes a
	// lost reply from a conflict.
	WriteIDAttribute = "_w"
)

// OwnerAttribute is the attribute of a guard that holds the key of the item that has the value.
const OwnerAttribute = "_owner"

// MaxPartitionKey is the maximum length of a partition key in bytes.
const MaxPartitionKey = 2048

// GuardType is the value of the type attribute of a guard.
const GuardType = Prefix + "#unique"

// Is reports whether a partition key, without the tenant that it starts with, belongs to the
// library.
func Is(partition string) bool { return strings.HasPrefix(partition, Prefix) }

// IsGuard reports whether a partition key, without the tenant that it starts with, is that of a
// guard.
func IsGuard(partition string) bool { return strings.HasPrefix(partition, GuardType+"#") }

// GuardKey returns the partition key of the guard of a unique value, and its sort key as a text and
// as a number. Distinct values have distinct partition keys. The sort key only spreads the guards
// over the partitions of an index that has the table's sort key as partition key.
func GuardKey(entityType, unique, value string) (partition, sort, sortNumber string) {
	return spread(GuardName(entityType, unique) + value)
}

// spread returns a partition key with a sort key that depends on it, as a text and as a number.
func spread(key string) (partition, sort, sortNumber string) {
	h := fnv.New32a()
	_, _ = h.Write([]byte(key)) // it never fails
	return key, fmt.Sprintf("%s#%08x", Prefix, h.Sum32()), strconv.FormatUint(uint64(h.Sum32()), 10)
}

// GuardName returns the prefix of the partition keys of all guards of a unique value.
func GuardName(entityType, unique string) string {
	return GuardPrefix(entityType) + keyspace.Escaped.Segment(unique) + "#"
}

// GuardPrefix returns the prefix of the partition keys of all guards of an entity type.
func GuardPrefix(entityType string) string {
	return GuardType + "#" + keyspace.Escaped.Segment(entityType) + "#"
}
