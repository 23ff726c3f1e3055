package keyspace

import "strings"

// Narrow returns the part of the range that a read continues with after a position. The position is
// the text of a key. Descending reads continue towards lower keys. The key itself is in the result
// if inclusive is set. binary is set for a key attribute of type B.
//
// The result may contain a few more keys: the key itself if it is a number, and the bound of a
// range that excludes it. [Range.Continues] tells them apart.
func (r Range) Narrow(key string, descending, inclusive, binary bool) Range {
	if r.Op == Eq && !r.Continues(key, descending, inclusive, r.Lo) {
		return Range{Number: r.Number}
	}
	if descending {
		return r.upTo(key, inclusive, binary)
	}
	return r.from(key, inclusive, binary)
}

// Continues reports whether a read of the range that continues after a position returns a key.
func (r Range) Continues(position string, descending, inclusive bool, key string) bool {
	order := r.compare(key, position)
	if descending {
		order = -order
	}
	return (order > 0 || order == 0 && inclusive) && r.Contains(key)
}

// Passed reports whether a key is behind all keys of the range, in the direction of a read.
func (r Range) Passed(key string, descending, binary bool) bool {
	lo, hi, ok := r.bounds(binary)
	switch {
	case r.Op == Eq:
		lo, hi = r.Lo, r.Lo
	case !ok:
		return true
	}
	if r.Contains(key) {
		return false
	}
	if descending {
		return lo != "" && r.compare(key, lo) <= 0
	}
	return hi != "" && r.compare(key, hi) >= 0
}

// from returns the keys of the range that sort after a key.
func (r Range) from(key string, inclusive, binary bool) Range {
	lo, hi, ok := r.bounds(binary)
	if !ok || lo != "" && r.compare(key, lo) < 0 {
		return r
	}
	if hi != "" && r.compare(key, hi) > 0 {
		return Range{Number: r.Number}
	}
	if hi == "" {
		op := Gt
		if inclusive {
			op = Ge
		}
		return Range{Op: op, Number: r.Number, Lo: key}
	}
	if !inclusive && !r.Number {
		if key, ok = next(key, binary); !ok || key > hi {
			return Range{}
		}
	}
	return Range{Op: Between, Number: r.Number, Lo: key, Hi: hi}
}

// upTo returns the keys of the range that sort before a key.
func (r Range) upTo(key string, inclusive, binary bool) Range {
	lo, hi, ok := r.bounds(binary)
	if !ok || hi != "" && r.compare(key, hi) > 0 {
		return r
	}
	if lo != "" && r.compare(key, lo) < 0 {
		return Range{Number: r.Number}
	}
	if lo == "" {
		op := Lt
		if inclusive {
			op = Le
		}
		return Range{Op: op, Number: r.Number, Lo: key}
	}
	if !inclusive && !r.Number {
		if key = previous(key, binary); key < lo {
			return Range{}
		}
	}
	return Range{Op: Between, Number: r.Number, Lo: lo, Hi: key}
}

// bounds returns the inclusive bounds of the range, or a wider range; an empty bound is open. It
// returns false if the range has at most one key.
func (r Range) bounds(binary bool) (lo, hi string, ok bool) {
	switch r.Op {
	case None, Eq, During:
		return "", "", false
	case Gt, Ge:
		return r.Lo, "", true
	case Lt, Le:
		return "", r.Lo, true
	case Between:
		return r.Lo, r.Hi, true
	case BeginsWith:
		return r.Lo, lastWith(r.Lo, binary), true
	default:
		return "", "", true
	}
}

// maxSortKey is the maximum size of a sort key in bytes.
const maxSortKey = 1024

// next returns the first key after a key. It returns false if there is none.
func next(key string, binary bool) (string, bool) {
	if !binary || len(key) < maxSortKey {
		return successor(key, maxSortKey)
	}
	for key != "" {
		end := len(key) - 1
		if key[end] != 0xff {
			return key[:end] + string([]byte{key[end] + 1}), true
		}
		key = key[:end]
	}
	return "", false
}

// previous returns the last key before a key, or "" if there is none.
func previous(key string, binary bool) string {
	if binary {
		return bytesPredecessor(key, maxSortKey)
	}
	return predecessor(key, maxSortKey)
}

// lastWith returns the last key that starts with a prefix.
func lastWith(prefix string, binary bool) string {
	if binary {
		return prefix + strings.Repeat("\xff", maxSortKey-len(prefix))
	}
	return maxFill(prefix, maxSortKey)
}
