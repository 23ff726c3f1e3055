package page

import (
	"strconv"
	"strings"

	"github.com/trestledb/trestle/ddbtest/internal/decimal"
	"github.com/trestledb/trestle/ddbtest/internal/engine"
	"github.com/trestledb/trestle/ddbtest/internal/store"
	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// emptied returns an empty page with a LastEvaluatedKey before all items, if a fault rule requires
// that and such a key exists. None exists if there is at most one item, or if a scan finds nothing.
func (r *reading) emptied() bool {
	if !r.call.Overrides.EmptyPage || r.single {
		return false
	}
	key := r.startKey
	switch {
	case key != nil:
	case r.condition != nil:
		key = r.edge()
		if _, taken := r.source.tree.Get(string(r.source.place(key))); taken {
			return false
		}
	default:
		key = r.scanFront()
	}
	if key == nil {
		return false
	}
	r.out.LastEvaluatedKey = key
	r.call.Trace.Overridden |= engine.OverrideEmptyPage
	return true
}

// edge returns the key before all possible items of a query's partition. It may be outside the
// range of the query.
func (r *reading) edge() value.Map {
	key := value.Map{}
	for _, a := range r.source.key.Partition {
		c, _ := r.condition.For(a.Name)
		key = key.With(a.Name, c.Operands[0])
	}
	return r.inFront(key)
}

// atEdge reports whether the start key is the one that an emptied first page returned.
func (r *reading) atEdge() bool { return r.condition != nil && value.Equal(r.startKey, r.edge()) }

// inFront sets the attributes that distinguish the items of a partition to their first value in the
// direction of the read.
func (r *reading) inFront(key value.Map) value.Map {
	for _, a := range r.source.suffix() {
		key = key.With(a.Name, extreme(a.Kind, !r.forward))
	}
	return key
}

// scanFront returns a key before the first item of a scan, or nil if it finds none.
func (r *reading) scanFront() value.Map {
	for first, item := range r.source.read(r.span, true) {
		if len(r.source.suffix()) == 0 {
			return r.scattered(first)
		}
		key := r.inFront(r.source.position(item))
		if string(r.source.place(key)) >= first {
			return nil
		}
		return key
	}
	return nil
}

// maxTries limits the search for a key whose hash sorts before others. The search almost certainly
// finds a key before ten thousand others.
const maxTries = 1 << 16

// scattered searches for a partition key in the range that sorts before first. It is for tables
// whose partitions have one item each.
func (r *reading) scattered(first string) value.Map {
	a := r.source.key.Partition[0]
	for i := range maxTries {
		key := value.Map{}.With(a.Name, numbered(a.Kind, i))
		if place := string(r.source.place(key)); r.span.contains(place) && place < first {
			return key
		}
	}
	return nil
}

// numbered returns the i-th of many values of a kind.
func numbered(kind value.Kind, i int) value.Value {
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

// suffix returns the attributes that distinguish the items of a partition.
func (s source) suffix() []store.KeyAttribute {
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

// extreme returns the lowest or the highest value of a key attribute.
func extreme(kind value.Kind, highest bool) value.Value {
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
