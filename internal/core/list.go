package core

import (
	"slices"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/itemjson"
)

// list is a list of items in JSON.
type list struct {
	items itemjson.Items
	arena *codec.Arena // nil: each item is decoded with its own arena, so rows can be used concurrently
	from  *Buffer      // the memory of the items, which is used again; nil: it is not
	found attributes   // of the item that was used last; only with an arena
}

// attributes are the indexes of the attributes of one item. They are found in one pass: those of
// the type that was decoded last, and of keys.
type attributes struct {
	item    int // its index in the list, plus 1
	plan    *Plan
	members []uint32 // as codec.Lookup returns them

	// Reads look for the same few attributes in each item: the keys, the type, the time to live.
	n         int // number of names
	names     [4]string
	positions [4]int
}

// find returns an item, and the index of an attribute or -1.
func (l *list) find(at int, name string) (itemjson.Item, int) {
	it, f := l.items.At(at), &l.found
	if f.plan == nil {
		return it, it.Find(itemjson.NameOf(name))
	}
	if f.item != at+1 {
		l.locate(at, it)
	}
	for n := range f.n {
		if f.names[n] == name {
			return it, int(f.members[f.positions[n]]) - 1
		}
	}
	position := f.plan.lookup.Position(name)
	if position < 0 {
		return it, it.Find(itemjson.NameOf(name))
	}
	if f.n < len(f.names) {
		f.names[f.n], f.positions[f.n] = name, position
		f.n++
	}
	return it, int(f.members[position]) - 1
}

// locate finds the attributes of an item.
func (l *list) locate(at int, it itemjson.Item) {
	l.found.item = at + 1
	l.found.plan.lookup.Members(it, l.found.members)
}

// decode decodes an item by a plan into the entity at that address.
func (l *list) decode(p *Plan, at int, to codec.Ptr) error {
	it, f := l.items.At(at), &l.found
	if l.arena == nil || p.lookup == nil {
		return p.Shape.DecodeJSON(it, to, p.IsSystem, l.arenaOf())
	}
	if f.plan != p {
		*f = attributes{plan: p, members: slices.Grow(f.members[:0], p.lookup.Len())[:p.lookup.Len()]}
	}
	if f.item != at+1 {
		l.locate(at, it)
	}
	return p.Shape.DecodeMembers(it, f.members, to, p.IsSystem, l.arena)
}

// arenaOf returns the arena for one item.
func (l *list) arenaOf() *codec.Arena {
	if l.arena != nil {
		return l.arena
	}
	return codec.NewArena(l.items.Size() / l.items.Len())
}
