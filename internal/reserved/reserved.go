// Package reserved marks out the names that belong to the library: the key space of its own items, and the attributes that it
// adds to the items of others.
//
// The library keeps items of its own beside those of the entities: guards of unique values, markers, shards. The partition key of
// each holds a segment that starts with Prefix: the first segment, or the first one after the tenant's part. No entity can have
// such a key: literals of templates hold no '$', escaping never writes 'U' after one, and a value that is written unescaped is
// refused if it starts so. Readers skip these items and count them.
package reserved

import "strings"

// Prefix starts the first free segment of the partition key of the library's own items.
const Prefix = "$U"

// Attributes that the library adds to an entity's item, where the schema's configuration does not rename them.
const (
	TypeAttribute    = "_type" // the entity's type name
	WriteIDAttribute = "_w"    // the id of the write that stored the item last, where a lost reply must be told from a conflict
)

// Is reports whether a partition key is one of the library's own. The tenant's part is the beginning that all keys of one tenant
// share, with its delimiter; it is empty for a table without tenants.
func Is(partition, tenant string) bool {
	if strings.HasPrefix(partition, Prefix) {
		return true
	}
	own, found := strings.CutPrefix(partition, tenant)
	return found && strings.HasPrefix(own, Prefix)
}
