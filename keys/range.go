package keys

import (
	"fmt"
	"strings"
)

// Shape is the form of a [Range] and of its key condition.
type Shape uint8

// The shapes of ranges. Range returns one of the last four only if no text precedes the compared
// value.
const (
	Empty      Shape = iota // no key; no query is needed
	Everything              // no condition
	Exact                   // = Lo
	Prefix                  // begins_with Lo
	Within                  // BETWEEN Lo AND Hi, both included
	Less                    // < Lo
	LessEq                  // <= Lo
	Greater                 // > Lo
	GreaterEq               // >= Lo
)

var shapeNames = [...]string{
	"empty", "everything", "exact", "prefix", "within", "less", "less or equal", "greater", "greater or equal",
}

// String returns the shape's name, such as "within".
func (s Shape) String() string {
	if int(s) < len(shapeNames) {
		return shapeNames[s]
	}
	return "unknown shape"
}

// Range is a set of keys that one key condition reads. The zero Range is empty. Lo and Hi have the
// format that Append writes and are at most as long as a key. Only Within uses Hi. Neither the
// verbs of fmt nor JSON print the bounds.
type Range struct {
	Shape Shape
	Type  AttrType // type of the key attribute; zero means S
	Lo    string   `json:"-"`
	Hi    string   `json:"-"`
}

// Contains reports whether key is in the range. It compares bytes, or numbers if the type is N.
func (r Range) Contains(key string) bool {
	switch r.Shape {
	case Everything:
		return true
	case Exact:
		return r.compare(key, r.Lo) == 0
	case Prefix:
		return strings.HasPrefix(key, r.Lo)
	case Within:
		return r.compare(key, r.Lo) >= 0 && r.compare(key, r.Hi) <= 0
	case Less:
		return r.compare(key, r.Lo) < 0
	case LessEq:
		return r.compare(key, r.Lo) <= 0
	case Greater:
		return r.compare(key, r.Lo) > 0
	case GreaterEq:
		return r.compare(key, r.Lo) >= 0
	}
	return false
}

func (r Range) compare(a, b string) int { return compareKeys(r.Type, a, b) }

func compareKeys(attr AttrType, a, b string) int {
	if attr == N {
		return compareDecimals(a, b)
	}
	return strings.Compare(a, b)
}

// Format implements fmt.Formatter. It prints the shape and the sizes of the bounds, never the
// bounds.
func (r Range) Format(s fmt.State, _ rune) {
	_, _ = fmt.Fprintf(s, "keys.Range(%s, %d and %d bytes)", r.Shape.String(), len(r.Lo), len(r.Hi))
}
