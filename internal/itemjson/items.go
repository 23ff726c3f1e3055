package itemjson

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
	end = s.list(at, func() { l.ends = append(l.ends, len(s.values)) })
	l.values = s.values
	if end < 0 {
		l.ends = l.ends[:0]
		return 0, s.err
	}
	return end, nil
}

// list scans a list of items and calls scanned after each.
func (s *scanner) list(i int, scanned func()) int {
	if i = s.expect(i, '['); i < 0 {
		return -1
	}
	i, more := s.first(i, ']')
	for more {
		if i = s.item(i); i < 0 {
			return -1
		}
		scanned()
		i, more = s.next(i, ']')
	}
	return i
}

// Len returns the number of items.
func (l *Items) Len() int { return len(l.ends) }

// At returns the item at index i. It is valid until the next Scan.
func (l *Items) At(i int) Item {
	start := 0
	if i > 0 {
		start = l.ends[i-1]
	}
	return Item{Body: l.body, Values: l.values[start:l.ends[i]:l.ends[i]]}
}
