package read

import (
	"unicode/utf8"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/keys"
)

// Allows reports whether a read can go on behind a place in a partition: whether an item of that
// place could be in the read. Of the table's key in a read of an index no more is known than its
// types and sizes: the item may be of any type.
func (p *Plan) Allows(partition int, place op.Item) bool {
	if !isPlace(p.Entity.Schema, p.Index, p.Position, place) {
		return false
	}
	part := p.Part(partition)
	for i := range part.ranges.Len() {
		r := part.ranges.At(i)
		text, ok := core.KeyText(r.attribute.Type, place[r.attribute.Name])
		if !ok || !r.of.Contains(text) {
			return false
		}
	}
	return !part.Empty
}

// Allows reports whether a scan can go on behind a place. Which segment holds it, only the service
// knows.
func (p *ScanPlan) Allows(place op.Item) bool { return isPlace(p.Schema, p.Index, p.Position, place) }

// isPlace reports whether an item could have such key attributes in the table, or in an index.
func isPlace(s *core.Schema, x *core.Index, position []core.Attribute, place op.Item) bool {
	if len(place) != len(position) {
		return false
	}
	for _, a := range position {
		text, ok := core.KeyText(a.Type, place[a.Name])
		if !ok || !storable(a.Type, text) {
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

// The most bytes that the attributes of one side of a key can have.
const (
	maxPartitionKey = 2048
	maxSortKey      = 1024
)

// storable reports whether a key attribute can have a value of that text.
func storable(t keys.AttrType, text string) bool {
	switch t {
	case keys.N:
		return len(text) <= maxNumber && codec.IsNumber(text)
	case keys.B:
		return text != ""
	default:
		return text != "" && utf8.ValidString(text)
	}
}

// maxNumber is more than the longest text that the service gives a number: 126 digits and a sign.
const maxNumber = 200
