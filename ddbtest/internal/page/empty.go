package page

import (
	"strconv"

	"github.com/trestledb/trestle/ddbtest/internal/check"
	"github.com/trestledb/trestle/ddbtest/internal/decimal"
	"github.com/trestledb/trestle/ddbtest/internal/engine"
	"github.com/trestledb/trestle/ddbtest/internal/store"
	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// returnEmptyPage returns an empty page with a LastEvaluatedKey before all items, if a fault rule
// requires that and such a key exists in the range of the read: DynamoDB accepts no other key as
// ExclusiveStartKey.
func (r *pageReader) returnEmptyPage() bool {
	if !r.call.Overrides.EmptyPage || r.single || len(r.spans) == 0 {
		return false
	}
	key := r.startKey
	if key == nil {
		key = r.keyBefore()
	}
	if key == nil {
		return false
	}
	r.out.LastEvaluatedKey = key
	r.call.Trace.Overridden |= engine.OverrideEmptyPage
	return true
}

// keyBefore returns a key in the range before its first item, in the direction of the read, or nil.
func (r *pageReader) keyBefore() value.Map {
	within := r.spans[0].bounds
	for place, item := range r.source.read(within, r.forward) {
		if len(r.source.distinguishingAttributes()) == 0 {
			return r.partitionKeyBefore(place)
		}
		return r.keyLike(r.source.position(item), func(at string) bool {
			return within.contains(at) && at != place && (at < place) == r.forward
		})
	}
	if r.condition == nil || r.source.index != nil && !r.source.index.Local {
		return nil // no key of the table is known
	}
	key := value.Map{}
	for _, a := range r.source.table.Key.Partition {
		c, _ := r.condition.For(a.Name)
		key = key.With(a.Name, c.Operands[0])
	}
	for _, a := range r.source.distinguishingAttributes() {
		value := extremeValue(a.Kind, !r.forward)
		if c, ok := r.condition.For(a.Name); ok {
			value = c.Operands[0]
		}
		key = key.With(a.Name, value)
	}
	return r.keyLike(key, within.contains)
}

// keyLike returns a key that differs from another one in few attributes, of which the last ones
// differ first, so that the item could be one of the same tenant. It returns nil if it finds none
// that fits.
func (r *pageReader) keyLike(like value.Map, fits func(place string) bool) value.Map {
	attributes := r.source.distinguishingAttributes()
	for i := len(attributes) - 1; i >= 0; i-- {
		a := attributes[i]
		values := []value.Value{extremeValue(a.Kind, !r.forward)}
		if r.condition != nil {
			if c, ok := r.condition.For(a.Name); ok {
				values = append(values, c.Operands...)
			}
		}
		for _, v := range append(values, like.Get(a.Name)) {
			for _, v := range []value.Value{v, neighbor(v, r.forward), neighbor(v, !r.forward)} {
				if v == nil {
					continue
				}
				if key := like.With(a.Name, v); check.Key(r.source.table.Key, r.source.table.Key.Pick(key)) == nil && fits(r.source.place(key)) {
					return key
				}
			}
		}
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
