package expression

import "github.com/trestledb/trestle/ddbtest/internal/value"

// operator is a keyword or a sign between operands.
type operator struct {
	symbol   string  // as in error messages
	kinds    kindSet // allowed types of operands that are values; 0 allows all
	distinct bool    // the first path must not equal another operand
}

// The operators.
var (
	equal        = &operator{symbol: "=", distinct: true}
	unequal      = &operator{symbol: "<>", distinct: true}
	less         = &operator{symbol: "<", kinds: ordered, distinct: true}
	lessEqual    = &operator{symbol: "<=", kinds: ordered, distinct: true}
	greater      = &operator{symbol: ">", kinds: ordered, distinct: true}
	greaterEqual = &operator{symbol: ">=", kinds: ordered, distinct: true}
	between      = &operator{symbol: "BETWEEN", kinds: ordered, distinct: true}
	in           = &operator{symbol: "IN", distinct: true}
	and          = &operator{symbol: "AND"}
	or           = &operator{symbol: "OR"}
	not          = &operator{symbol: "NOT"}
	plus         = &operator{symbol: "+", kinds: numbers}
	minus        = &operator{symbol: "-", kinds: numbers}
)

// comparators maps tokens to the comparators of conditions.
var comparators = map[tokenKind]*operator{
	equalToken: equal, unequalToken: unequal,
	lessToken: less, lessEqualToken: lessEqual, greaterToken: greater, greaterEqualToken: greaterEqual,
}

// kindSet is a set of types.
type kindSet uint16

func kindsOf(kinds ...value.Kind) kindSet {
	var s kindSet
	for _, k := range kinds {
		s |= 1 << k
	}
	return s
}

// allows reports whether the set is 0, which allows all types, or contains the type. A type that is
// only known with an item is 0, and always allowed.
func (s kindSet) allows(k value.Kind) bool { return s == 0 || k == 0 || s&(1<<k) != 0 }

// The sets of types that operands may have.
var (
	ordered  = kindsOf(value.KindString, value.KindNumber, value.KindBinary)
	numbers  = kindsOf(value.KindNumber)
	texts    = kindsOf(value.KindString)
	prefixed = kindsOf(value.KindString, value.KindBinary)
	lists    = kindsOf(value.KindList)
	sets     = kindsOf(value.KindStringSet, value.KindNumberSet, value.KindBinarySet)
	sized    = prefixed | sets | kindsOf(value.KindList, value.KindMap)
)
