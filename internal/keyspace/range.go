package keyspace

import (
	"fmt"
	"strings"
)

// Op is an operator: how a range, or a comparison of one placeholder, selects keys.
type Op uint8

// The operators. A range that [Space.Range] returns has the operator Lt, Le, Gt or Ge only if no
// text precedes the compared value.
const (
	None Op = iota // no key
	All            // every key; takes no operand
	Eq
	Lt
	Le
	Gt
	Ge
	Between    // two operands, both included
	BeginsWith // text and bytes only
	// During takes two operands; the first is included and the second is not. Equal operands match
	// no key. The end of the year 9999 is valid as the second operand. No range has this operator.
	During
)

// opInfo holds the properties of an operator.
type opInfo struct {
	name     string
	operands int
	reversed Op
}

var ops = [...]opInfo{
	None: {"none", 0, None}, All: {"all", 0, All}, Eq: {"=", 1, Eq},
	Lt: {"<", 1, Gt}, Le: {"<=", 1, Ge}, Gt: {">", 1, Lt}, Ge: {">=", 1, Le},
	Between: {"between", 2, Between}, BeginsWith: {"begins with", 1, BeginsWith}, During: {"during", 2, During},
}

func (op Op) info() opInfo {
	if op > During {
		return opInfo{name: "unknown operator"}
	}
	return ops[op]
}

// String returns the symbol or name of the operator.
func (op Op) String() string { return op.info().name }

// Operands returns the number of operands.
func (op Op) Operands() int { return op.info().operands }

// Reversed returns the operator for keys in descending order.
func (op Op) Reversed() Op { return op.info().reversed }

// Range is a set of keys that one key condition reads. The zero Range is empty. Lo is the operand,
// and Hi the second operand of Between; both are at most as long as a key. Neither the verbs of fmt
// nor JSON print them.
type Range struct {
	Op     Op
	Number bool   // the key attribute is of type N
	Lo     string `json:"-"`
	Hi     string `json:"-"`
}

// Contains reports whether key is in the range. It compares bytes, or numbers.
func (r Range) Contains(key string) bool {
	switch r.Op {
	case None, During:
		return false
	case All:
		return true
	case BeginsWith:
		return strings.HasPrefix(key, r.Lo)
	}
	order := r.compare(key, r.Lo)
	switch r.Op {
	case Lt:
		return order < 0
	case Le:
		return order <= 0
	case Gt:
		return order > 0
	case Ge:
		return order >= 0
	case Between:
		return order >= 0 && r.compare(key, r.Hi) <= 0
	}
	return order == 0
}

func (r Range) compare(a, b string) int {
	if r.Number {
		return CompareNumbers(a, b)
	}
	return strings.Compare(a, b)
}

// Format implements fmt.Formatter. It prints the operator and the sizes of the operands, never the
// operands.
func (r Range) Format(s fmt.State, _ rune) {
	_, _ = fmt.Fprintf(s, "keyspace.Range(%s, %d and %d bytes)", r.Op.String(), len(r.Lo), len(r.Hi))
}
