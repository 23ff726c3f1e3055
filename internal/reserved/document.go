package reserved

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
)

// The values of the type attribute of the items of documents.
const (
	ChunkType  = Prefix + "#chunk"  // a part of a large value, or of a log
	IntentType = Prefix + "#intent" // what a save of a document stores besides its parts
)

// ChunkKey returns the key of a chunk of a large value, as GuardKey does.
func ChunkKey(id string, n int) (partition, sort, sortNumber string) {
	return spread(fmt.Sprintf("%s#%s#%05d", ChunkType, id, n))
}

// IntentPartition returns the partition key of the intents of a document. The identity is that of
// its root item.
func IntentPartition(entityType, identity string) string {
	sum := sha256.Sum256([]byte(entityType + "\x00" + identity))
	return IntentType + "#" + hex.EncodeToString(sum[:])
}
