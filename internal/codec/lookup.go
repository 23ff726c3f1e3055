package codec

import (
	"math/bits"

	"github.com/trestledb/trestle/internal/itemjson"
)

// Lookup finds attributes by their names: the fields of a struct, and further ones. Each has a
// position. That of a field is the one in [Struct.Fields], and those of further attributes follow.
// A lookup is a hash table with open addressing, whose hashes are those of scanned items.
type Lookup struct {
	slots  []slot
	shift  int
	length int // number of positions
}

// slot is an entry of the table. The position of an empty one is -1.
type slot struct {
	name     itemjson.Name
	position int
}

// Lookup returns a lookup of the fields and of further attributes. A name that occurs twice has the
// first position.
func (s *Struct) Lookup(further ...string) *Lookup {
	names := make([]string, 0, len(s.fields)+len(further))
	for _, f := range s.fields {
		names = append(names, f.Name)
	}
	return newLookup(append(names, further...))
}

func newLookup(names []string) *Lookup {
	size := bits.Len(uint(2 * len(names))) // at most half full
	l := &Lookup{slots: make([]slot, 1<<size), shift: 32 - size, length: len(names)}
	for i := range l.slots {
		l.slots[i].position = -1
	}
	for i, text := range names {
		name := itemjson.NameOf(text)
		if at := l.slot(name); at.position < 0 {
			*at = slot{name, i}
		}
	}
	return l
}

// slot returns the slot of a name, which is empty if there is none.
func (l *Lookup) slot(name itemjson.Name) *slot {
	for at := int(name.Hash >> l.shift); ; at = l.after(at) {
		if s := &l.slots[at]; s.position < 0 || s.name == name {
			return s
		}
	}
}

// Position returns the position of an attribute, or -1.
func (l *Lookup) Position(name string) int { return l.slot(itemjson.NameOf(name)).position }

// Len returns the number of positions.
func (l *Lookup) Len() int { return l.length }

// Members sets, for each position, the index of the attribute's member in an item plus 1, or 0 if
// there is none. Of several members of one name the last one counts.
func (l *Lookup) Members(it itemjson.Item, into []uint32) {
	clear(into)
	l.members(it, 0, len(it.Values), into)
}

// members is Members for the records from index i to end, into zeros.
func (l *Lookup) members(it itemjson.Item, i, end int, into []uint32) {
	for ; i < end; i += int(it.Values[i].Span) {
		hash := it.Values[i].Hash
		for at := int(hash >> l.shift); ; at = l.after(at) {
			s := &l.slots[at]
			if s.position < 0 {
				break
			}
			if s.name.Hash == hash && it.Is(i, s.name.Text) {
				into[s.position] = uint32(i) + 1
				break
			}
		}
	}
}

// after returns the slot after a slot that is taken by another name.
func (l *Lookup) after(slot int) int { return (slot + 1) & (len(l.slots) - 1) }
