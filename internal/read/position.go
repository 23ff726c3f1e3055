package read

import (
	"unicode/utf8"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/keyspace"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/keys"
)

// Allows reports whether a read can continue after a position in a partition, that is, whether the
// partition can contain an item at this position. It may be narrowed. For a read of an index, it
// checks only the types and sizes of the table's key, because the item may be of any type. It does
// not check the segment of a scan, because only DynamoDB knows which segment holds a key.
func (p *Plan) Allows(part *Partition, place op.Item) bool {
	if !isPosition(p.Schema, p.Index, p.Position, place) {
		return false
	}
	for i := range part.ranges.Len() {
		r := part.ranges.At(i)
		text, ok := core.KeyText(r.attribute.Type, place[r.attribute.Name])
		if !ok || !r.of.Contains(text) {
			return false
		}
	}
	return !part.Empty
}

// Passed reports whether a position of the partition of a stream comes after all keys of the
// stream's range, in the direction of the read.
func (p *Plan) Passed(stream int, place op.Item) bool {
	sort, ok := p.SortAttribute()
	if !ok || !isPosition(p.Schema, p.Index, p.Position, place) {
		return false
	}
	part := p.Partition(stream)
	for i := range part.ranges.Len() {
		r := part.ranges.At(i)
		text, _ := core.KeyText(r.attribute.Type, place[r.attribute.Name])
		if r.attribute.Name != sort.Name && !r.of.Contains(text) {
			return false // another partition
		}
	}
	text, _ := core.KeyText(sort.Type, place[sort.Name])
	return part.sortRange(sort).Passed(text, p.Desc, sort.Type == keys.B)
}

// isPosition reports whether an item of the table or index can have these key attributes.
func isPosition(s *core.Schema, x *core.Index, position []core.Attribute, place op.Item) bool {
	if len(place) != len(position) {
		return false
	}
	for _, a := range position {
		text, ok := core.KeyText(a.Type, place[a.Name])
		if !ok || !isKeyText(a.Type, text) {
			return false
		}
	}
	fits := func(side []core.Attribute, most int) bool {
		size := 0
		for _, a := range side {
			size += codec.ValueSize(place[a.Name])
		}
		return size <= most
	}
	return fits(s.PartitionKey(), maxPartitionKey) && fits(s.SortKey(), maxSortKey) &&
		(x == nil || fits(x.Partition, maxPartitionKey) && fits(x.Sort, maxSortKey))
}

// The maximum size in bytes of the attributes of one side of a key.
const (
	maxPartitionKey = 2048
	maxSortKey      = 1024
)

// isKeyText reports whether a key attribute can have the value with this text.
func isKeyText(t keys.AttrType, text string) bool {
	switch t {
	case keys.N:
		return len(text) <= maxNumber && keyspace.IsNumber(text)
	case keys.B:
		return text != ""
	default:
		return text != "" && utf8.ValidString(text)
	}
}

// maxNumber is above the length of the longest number that DynamoDB returns: 126 digits and a sign.
const maxNumber = 200
