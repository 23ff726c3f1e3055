package wire

import (
	"hash/maphash"
	"sync/atomic"
)

// Attribute names are few, and every item repeats them. So are names of tables and expressions,
// which requests repeat. The latest ones are kept, so that all items and requests share them.
var (
	names    [1024]atomic.Pointer[string]
	nameSeed = maphash.MakeSeed()
)

// maxSharedName limits the length of the names that are kept.
const maxSharedName = 64

// intern returns text as a string. It returns an earlier string with the same bytes, if possible.
func intern(text []byte) string {
	if len(text) > maxSharedName {
		return string(text)
	}
	slot := &names[maphash.Bytes(nameSeed, text)%uint64(len(names))]
	if name := slot.Load(); name != nil && *name == string(text) {
		return *name
	}
	name := string(text)
	slot.Store(&name)
	return name
}
