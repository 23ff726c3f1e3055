package expression

import (
	"strconv"

	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// What the service charges for the parts of an update, in bytes. No document says so: the numbers were measured.
const (
	chargeOfUpdate      = 3
	chargeOfWriting     = 19 // a SET or an ADD
	chargeOfTaking      = 1  // a REMOVE or a DELETE
	chargeOfStep        = 4  // each step of a target behind the first
	chargeOfPath        = 1  // a path that is read
	chargeOfElement     = 14 // each of its elements
	chargeOfPlus        = 34
	chargeOfMinus       = 37
	chargeOfListAppend  = 37
	chargeOfIfNotExists = 39
)

// Charge is what an update of a single item, outside of transactions, is charged against the limit of an item's size before the service looks at
// any item: for what it says and for the values that it gives, whether it then stores them or not.
func (u *Update) Charge() int {
	sum := chargeOfUpdate
	for _, c := range u.changes {
		sum += c.charge()
	}
	return sum
}

func (c *change) charge() int {
	sum := chargeOfTarget(c.target)
	switch c.keyword {
	case setToken:
		return sum + chargeOfWriting + chargeOfSource(c.source)
	case addToken:
		return sum + chargeOfWriting + value.Size(c.given)
	default:
		return sum + chargeOfTaking
	}
}

func chargeOfSource(a assigned) int {
	switch a := a.(type) {
	case copied:
		return chargeOfOperand(a.operand)
	case sum:
		own := chargeOfPlus
		if a.operator == minus {
			own = chargeOfMinus
		}
		return own + chargeOfOperand(a.left) + chargeOfOperand(a.right)
	case made:
		return chargeOfCall(a.function, a.operands)
	}
	return 0
}

func chargeOfCall(f *function, operands operandList) int {
	sum := chargeOfIfNotExists
	if f == functions["list_append"] {
		sum = chargeOfListAppend
	}
	for _, o := range operands {
		sum += chargeOfOperand(o)
	}
	return sum
}

func chargeOfOperand(o operand) int {
	switch o := o.(type) {
	case literal:
		return value.Size(o.given)
	case calculation:
		return chargeOfCall(o.function, o.operands)
	case Path:
		sum := chargeOfPath
		for _, e := range o {
			sum += chargeOfElement + e.size()
		}
		return sum
	}
	return 0
}

func chargeOfTarget(p Path) int {
	sum := (len(p) - 1) * chargeOfStep
	for _, e := range p {
		sum += e.size()
	}
	return sum
}

// size is the bytes of a name, or the digits of an index.
func (e Element) size() int {
	if e.isIndex() {
		return len(strconv.Itoa(e.Index))
	}
	return len(e.Name)
}
