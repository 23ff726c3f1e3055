package codec

import (
	"encoding/binary"
	"math/bits"
)

// fieldIndex finds fields by their attribute names. It is a hash table with open addressing, which
// also finds names that are bytes of a response.
type fieldIndex struct {
	slots []*Field // nil is empty
	shift int
}

func newFieldIndex(fields []*Field) fieldIndex {
	size := bits.Len(uint(2 * len(fields))) // at most half full
	x := fieldIndex{slots: make([]*Field, 1<<size), shift: 64 - size}
	for _, f := range fields {
		slot := x.slot([]byte(f.Name))
		for x.slots[slot] != nil {
			slot = x.after(slot)
		}
		x.slots[slot] = f
	}
	return x
}

// find returns the field of that name, or nil.
func (x *fieldIndex) find(name []byte) *Field {
	for slot := x.slot(name); ; slot = x.after(slot) {
		if f := x.slots[slot]; f == nil || f.Name == string(name) {
			return f
		}
	}
}

// after returns the slot after a slot that is taken by another name.
func (x *fieldIndex) after(slot int) int { return (slot + 1) & (len(x.slots) - 1) }

// slot returns where the search for a name starts. It depends on the length and on up to 8 bytes on
// each side.
func (x *fieldIndex) slot(name []byte) int {
	n := len(name)
	var first, last uint64
	switch {
	case n >= 8:
		first, last = binary.LittleEndian.Uint64(name), binary.LittleEndian.Uint64(name[n-8:])
	case n >= 4:
		first, last = uint64(binary.LittleEndian.Uint32(name)), uint64(binary.LittleEndian.Uint32(name[n-4:]))
	case n > 0:
		first = uint64(name[0]) | uint64(name[n/2])<<8 | uint64(name[n-1])<<16
	}
	const golden = 0x9e3779b97f4a7c15
	hash := (first ^ bits.RotateLeft64(last, 29) ^ uint64(n)) * golden
	return int(hash >> x.shift)
}
