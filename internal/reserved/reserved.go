// Package reserved defines the names that the library reserves: the keys of its own items, and the
// attributes that it adds to other items.
//
// The library stores its own items next to those of the entities: guards of unique values, markers,
// shards. The partition key of each contains a segment that starts with Prefix: the first segment,
// or the first one after the tenant's part. An entity cannot have such a key: literals of templates
// contain no '$', escaping never writes 'U' after one, and an unescaped value that starts with
// Prefix is an error. Readers skip and count these items.
package reserved

import "strings"

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

// Is reports whether a partition key belongs to the library. The tenant's part is the prefix of all
// keys of one tenant, with its delimiter. It is empty for a table without tenants.
func Is(partition, tenant string) bool {
	if strings.HasPrefix(partition, Prefix) {
		return true
	}
	own, found := strings.CutPrefix(partition, tenant)
	return found && strings.HasPrefix(own, Prefix)
}
