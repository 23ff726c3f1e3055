package reserved

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
)

// The values of the type attribute of the items of documents.
const (
	ChunkType  = Prefix + "#chunk"  // a part of a large value, or of a log
	IntentType = Prefix + "#intent" // what a save of a document stores besides its parts
)

// Chunks returns the part of the partition keys of chunks that all chunks of a document share. The
// identity is that of its root item.
func Chunks(entityType, identity string) string {
	sum := sha256.Sum256([]byte(entityType + "\x00" + identity))
	return base64.RawURLEncoding.EncodeToString(sum[:12])
}

// ChunkKey returns the partition key and the sort key of the n-th chunk of a large value or a log.
// The partition key depends only on the document and on the number of the partition in it. The sort
// key tells the chunks in a partition apart; no two chunks share one, which spreads them over the
// partitions of an index that has the table's sort key as partition key.
func ChunkKey(document string, partition int, id string, n int) (string, string) {
	return fmt.Sprintf("%s#%s#%05d", ChunkType, document, partition), fmt.Sprintf("%s#%s#%05d", Prefix, id, n)
}

// IntentPartition returns the partition key of the intents of a document. The identity is that of
// its root item.
func IntentPartition(entityType, identity string) string {
	sum := sha256.Sum256([]byte(entityType + "\x00" + identity))
	return IntentType + "#" + hex.EncodeToString(sum[:])
}
