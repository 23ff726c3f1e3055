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

var opNames = [...]string{"none", "all", "=", "<", "<=", ">", ">=", "between", "begins with", "during"}

// String returns the symbol or name of the operator.
func (op Op) String() string {
	if int(op) < len(opNames) {
		return opNames[op]
	}
	return "unknown operator"
}

// Operands returns the number of operands.
func (op Op) Operands() int {
	switch op {
	case None, All:
		return 0
	case Between, During:
		return 2
	}
	return 1
}

// Reversed returns the operator for keys in descending order.
func (op Op) Reversed() Op {
	switch op {
	case Lt:
		return Gt
	case Le:
		return Ge
	case Gt:
		return Lt
	case Ge:
		return Le
	}
	return op
}

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
	case All:
		return true
	case Eq:
		return r.compare(key, r.Lo) == 0
	case BeginsWith:
		return strings.HasPrefix(key, r.Lo)
	case Between:
		return r.compare(key, r.Lo) >= 0 && r.compare(key, r.Hi) <= 0
	case Lt:
		return r.compare(key, r.Lo) < 0
	case Le:
		return r.compare(key, r.Lo) <= 0
	case Gt:
		return r.compare(key, r.Lo) > 0
	case Ge:
		return r.compare(key, r.Lo) >= 0
	}
	return false
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
