package read

import (
	"maps"
	"slices"
	"strings"

	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/keyspace"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/keys"
)

// A run that merges partitions continues after an item: in the partition of the item after its key,
// and in the others at its sort key. A narrowed partition starts there.

// SortAttribute returns the attribute by which the partitions are merged. It returns false if there
// is none, or if there are several, whose order no key condition expresses.
func (p *Plan) SortAttribute() (core.Attribute, bool) {
	sort := p.Schema.SortKey()
	if p.Index != nil {
		sort = p.Index.Sort
	}
	if len(sort) != 1 {
		return core.Attribute{}, false
	}
	return sort[0], true
}

// Narrowed returns a partition from a position on, which may be an item of another partition. If
// inclusive is set, items with the same sort key as the position are included.
func (p *Plan) Narrowed(part *Partition, place op.Item, inclusive bool) *Partition {
	own := *part
	sort, _ := p.SortAttribute()
	text, _ := core.KeyText(sort.Type, place[sort.Name])
	from := own.sortRange(sort)
	r := from.Narrow(text, p.Desc, inclusive, sort.Type == keys.B)
	if own.Empty = own.Empty || r.Op == keyspace.None; own.Empty {
		return &own
	}
	own.setRange(&sort, r)
	own.continues = func(row core.Row) bool {
		key, ok := row.KeyText(sort)
		return ok && from.Continues(text, p.Desc, inclusive, key)
	}
	own.write(sort, r)
	return &own
}

// Continues reports whether a run that continues in the partition returns an item. A request of a
// narrowed partition may return a few items that were returned before.
func (p *Partition) Continues(row core.Row) bool { return p.continues == nil || p.continues(row) }

// sortRange returns the range of sort keys.
func (p *Partition) sortRange(sort core.Attribute) keyspace.Range {
	for i := range p.ranges.Len() {
		if r := p.ranges.At(i); r.attribute.Name == sort.Name {
			return r.of
		}
	}
	return keyspace.Range{Op: keyspace.All, Number: sort.Type == keys.N}
}

// setRange replaces the range of sort keys.
func (p *Partition) setRange(sort *core.Attribute, r keyspace.Range) {
	for i := range p.ranges.Len() {
		if at := p.ranges.At(i); at.attribute.Name == sort.Name {
			at.of = r
			return
		}
	}
	p.ranges.Add(keyRange{sort, r})
}

// The placeholders of a narrowed sort key.
const (
	sortMark = "#sort"
	fromMark = ":from"
	toMark   = ":to"
)

// write replaces the condition on the sort key.
func (p *Partition) write(sort core.Attribute, r keyspace.Range) {
	p.Names, p.Values = maps.Clone(p.Names), maps.Clone(p.Values)
	name := sortMark
	for _, mark := range marksIn(p.KeyCondition[len(p.unsorted):]) {
		if strings.HasPrefix(mark, "#") {
			name = mark // a projection may use it too
		}
		delete(p.Values, mark)
	}
	p.Names[name] = sort.Name
	p.Values[fromMark] = core.KeyValue(sort.Type, r.Lo)
	p.KeyCondition = p.unsorted + " AND " + name
	switch r.Op {
	case keyspace.Between:
		p.KeyCondition += between + fromMark + " AND " + toMark
		p.Values[toMark] = core.KeyValue(sort.Type, r.Hi)
	case keyspace.BeginsWith:
		p.KeyCondition = p.unsorted + " AND begins_with(" + name + ", " + fromMark + ")"
	default:
		p.KeyCondition += comparisons[r.Op] + fromMark
	}
}

// marksIn returns the placeholders of a condition.
func marksIn(condition string) []string {
	words := strings.FieldsFunc(condition, func(r rune) bool { return strings.ContainsRune(" (),", r) })
	return slices.DeleteFunc(words, func(w string) bool { return w[0] != '#' && w[0] != ':' })
}
