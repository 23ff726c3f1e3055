package wire

import (
	"hash/maphash"
	"sync/atomic"
)

// Attribute names are few, and every item repeats them: the latest ones are kept, so that a million items share them.
var (
	names    [1024]atomic.Pointer[string]
	nameSeed = maphash.MakeSeed()
)

// maxSharedName bounds what names keeps alive.
const maxSharedName = 64

// intern is the text as a string, the same one as before if possible.
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
