package page

import (
	"iter"
	"strings"

	"github.com/trestledb/trestle/ddbtest/internal/decimal"
	"github.com/trestledb/trestle/ddbtest/internal/store"
	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// emptied gives a page without items and with a key from which all of it follows, where a fault asks for that and there is such a key. A query's
// first page needs one in front of its items, and in its range. A scan's first page has none, for it goes by the hash of the partition key.
func (r *reading) emptied() bool {
	if !r.call.Steer.EmptyPage {
		return false
	}
	key := r.startKey
	if key == nil {
		key = r.front()
	}
	r.out.LastEvaluatedKey = key
	return key != nil
}

// front is a key in front of all items of the range, or nil where none was found.
func (r *reading) front() value.Map {
	if r.partition == "" {
		return nil
	}
	for first, item := range r.source.read(r.span, r.forward) {
		for key := range r.fronts(r.source.position(item)) {
			place, err := r.source.start(key)
			if err == nil && r.span.contains(place) && place != first && (place < first) == r.forward {
				return key
			}
		}
		break
	}
	return nil
}

// fronts yields keys that may be in front of a position: the same up to one attribute, there something that may come earlier, and then the
// first values that there can be.
func (r *reading) fronts(position value.Map) iter.Seq[value.Map] {
	attributes := r.source.suffix()
	return func(yield func(value.Map) bool) {
		for i, a := range attributes {
			for _, v := range r.earlier(a, position.Get(a.Name)) {
				key := position.With(a.Name, v)
				for _, rest := range attributes[i+1:] {
					key = key.With(rest.Name, extreme(rest.Kind, !r.forward))
				}
				if !yield(key) {
					return
				}
			}
		}
	}
}

// earlier are values of an attribute that may come before another one, in the range or not: the first that there can be, the bounds that the
// key condition names, and the neighbors of them all.
func (r *reading) earlier(a store.KeyAttribute, than value.Value) []value.Value {
	values := []value.Value{extreme(a.Kind, !r.forward)}
	if c, ok := r.condition.For(a.Name); ok {
		values = append(values, c.Operands...)
	}
	for _, v := range append(values[1:len(values):len(values)], than) {
		switch v := v.(type) {
		case value.String:
			values = append(values, v+"\x00")
		case value.Binary:
			values = append(values, v+"\x00")
		case value.Number:
			values = append(values, beside(v, r.forward))
		}
	}
	return values
}

// beside is a number a little before another one in the direction, or the number itself where that has no room for more digits.
func beside(n value.Number, forward bool) value.Number {
	little, _ := decimal.Parse("0.001")
	step := decimal.Decimal.Add
	if forward {
		step = decimal.Decimal.Sub
	}
	if d, err := step(n.Decimal, little); err == nil {
		return value.Number{Decimal: d}
	}
	return n
}

// suffix is what tells the items of a partition apart.
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

// extreme is the lowest or the highest value that a key can have.
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
