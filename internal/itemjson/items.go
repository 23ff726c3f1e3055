package itemjson

import "slices"

// Items are the items of a list, such as those of a page. The zero Items is empty. Scan reuses the
// memory of an earlier list.
type Items struct {
	body   []byte
	values []Value
	ends   []int // of the records of each item
}

// Scan scans the list of items that begins at an offset of the body, after whitespace. It returns
// the offset after the list. An error is a *SyntaxError, and the list is then empty.
func (l *Items) Scan(body []byte, at int) (end int, err error) {
	s := scanner{body: body, values: l.values[:0]}
	l.body, l.ends = body, l.ends[:0]
	end = s.list(at, func(i int) {
		l.ends = append(l.ends, len(s.values))
		if len(l.ends) == sample {
			l.grow(&s, i-at)
		}
	})
	l.values = s.values
	if end < 0 {
		l.ends = l.ends[:0]
		return 0, s.err
	}
	return end, nil
}

// sample is the number of items after which the memory for all items is allocated.
const sample = 8

// grow allocates the memory for the items of the rest of the body, if they are like the first ones,
// which have that many bytes.
func (l *Items) grow(s *scanner, bytes int) {
	const spare = 16 // a part of the estimate
	more := func(n int) int { return n * (len(s.body)/bytes + 1) * (spare + 1) / spare }
	s.values = slices.Grow(s.values, more(len(s.values))-len(s.values))
	l.ends = slices.Grow(l.ends, more(sample)-sample)
}

// Add scans the item that begins at an offset of the body, after whitespace, and appends it to the
// list. It returns the offset after the item. All items of a list are in the same body. An error is
// a *SyntaxError, and the list is then unchanged.
func (l *Items) Add(body []byte, at int) (end int, err error) {
	if l.values == nil { // most lists have one item
		l.values = make([]Value, 0, min(len(body)/64, 64)+4)
	}
	s := scanner{body: body, values: l.values}
	if end = s.item(at); end < 0 {
		return 0, s.err
	}
	l.body, l.values, l.ends = body, s.values, append(l.ends, len(s.values))
	return end, nil
}

// AddEmpty appends an item without attributes.
func (l *Items) AddEmpty() { l.ends = append(l.ends, len(l.values)) }

// list scans a list of items and calls scanned after each, with the offset after it.
func (s *scanner) list(i int, scanned func(end int)) int {
	if i = s.expect(i, '['); i < 0 {
		return -1
	}
	i, more := s.first(i, ']')
	for more {
		if i = s.item(i); i < 0 {
			return -1
		}
		scanned(i)
		i, more = s.next(i, ']')
	}
	return i
}

// Reset empties the list, which keeps its memory.
func (l *Items) Reset() { l.body, l.values, l.ends = nil, l.values[:0], l.ends[:0] }

// Len returns the number of items.
func (l *Items) Len() int { return len(l.ends) }

// Size returns the number of bytes of the body.
func (l *Items) Size() int { return len(l.body) }

// At returns the item at index i. It is valid until the next Scan.
func (l *Items) At(i int) Item {
	start := 0
	if i > 0 {
		start = l.ends[i-1]
	}
	return Item{Body: l.body, Values: l.values[start:l.ends[i]:l.ends[i]]}
}
