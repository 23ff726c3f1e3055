package page

import (
	"strconv"
	"strings"

	"github.com/trestledb/trestle/ddbtest/internal/decimal"
	"github.com/trestledb/trestle/ddbtest/internal/engine"
	"github.com/trestledb/trestle/ddbtest/internal/store"
	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// returnEmptyPage returns an empty page with a LastEvaluatedKey before all items, if a fault rule
// requires that and such a key exists. None exists if there is at most one item, or if a scan finds
// nothing.
func (r *pageReader) returnEmptyPage() bool {
	if !r.call.Overrides.EmptyPage || r.single || len(r.spans) == 0 {
		return false
	}
	key := r.startKey
	switch {
	case key != nil:
	case r.condition != nil:
		key = r.keyBeforePartition()
		if _, taken := r.source.tree.Get(r.source.place(key)); taken {
			return false
		}
	default:
		key = r.keyBeforeScan()
	}
	if key == nil {
		return false
	}
	r.out.LastEvaluatedKey = key
	r.call.Trace.Overridden |= engine.OverrideEmptyPage
	return true
}

// keyBeforePartition returns the key before all possible items of a query's partition. It may be
// outside the range of the query.
func (r *pageReader) keyBeforePartition() value.Map {
	key := value.Map{}
	for _, a := range r.source.key.Partition {
		c, _ := r.condition.For(a.Name)
		key = key.With(a.Name, c.Operands[0])
	}
	return r.withFirstValues(key)
}

// startsBeforePartition reports whether the start key is the one that an empty first page
// returned.
func (r *pageReader) startsBeforePartition() bool {
	return r.condition != nil && value.Equal(r.startKey, r.keyBeforePartition())
}

// withFirstValues sets the attributes that distinguish the items of a partition to their first
// value in the direction of the read.
func (r *pageReader) withFirstValues(key value.Map) value.Map {
	for _, a := range r.source.distinguishingAttributes() {
		key = key.With(a.Name, extremeValue(a.Kind, !r.forward))
	}
	return key
}

// keyBeforeScan returns a key before the first item of a scan, or nil if it finds none.
func (r *pageReader) keyBeforeScan() value.Map {
	for first, item := range r.source.read(r.spans[0].bounds, true) {
		if len(r.source.distinguishingAttributes()) == 0 {
			return r.partitionKeyBefore(first)
		}
		key := r.withFirstValues(r.source.position(item))
		if r.source.place(key) >= first {
			return nil
		}
		return key
	}
	return nil
}

// maxTries limits the search for a key whose hash sorts before others. The search almost certainly
// finds a key before ten thousand others.
const maxTries = 1 << 16

// partitionKeyBefore searches for a partition key in the range that sorts before first. It is for
// tables whose partitions have one item each.
func (r *pageReader) partitionKeyBefore(first string) value.Map {
	a := r.source.key.Partition[0]
	for i := range maxTries {
		key := value.Map{}.With(a.Name, nthValue(a.Kind, i))
		if place := r.source.place(key); r.spans[0].bounds.contains(place) && place < first {
			return key
		}
	}
	return nil
}

// nthValue returns the i-th of many values of a kind.
func nthValue(kind value.Kind, i int) value.Value {
	text := strconv.Itoa(i)
	switch kind {
	case value.KindNumber:
		n, _ := decimal.Parse(text)
		return value.Number{Decimal: n}
	case value.KindBinary:
		return value.Binary(text)
	default:
		return value.String(text)
	}
}

// distinguishingAttributes returns the attributes that distinguish the items of a partition.
func (s source) distinguishingAttributes() []store.KeyAttribute {
	attributes := s.key.Sort
	if s.index != nil {
		for _, a := range s.table.Key.All() {
			if !s.key.Has(a.Name) {
				attributes = append(attributes[:len(attributes):len(attributes)], a)
			}
		}
	}
	return attributes
}

// extremeValue returns the lowest or the highest value of a key attribute.
func extremeValue(kind value.Kind, highest bool) value.Value {
	switch kind {
	case value.KindNumber:
		text := "9.9999999999999999999999999999999999999E+125"
		if !highest {
			text = "-" + text
		}
		n, _ := decimal.Parse(text)
		return value.Number{Decimal: n}
	case value.KindBinary:
		if highest {
			return value.Binary(strings.Repeat("\xff", 1024))
		}
		return value.Binary("\x00")
	default:
		if highest {
			return value.String(strings.Repeat("\U0010FFFF", 256))
		}
		return value.String("\x00")
	}
}
