package expression

import (
	"strconv"

	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// The charge for the parts of an update, in bytes. The values are not documented. They were
// measured at the service.
const (
	chargeOfUpdate      = 3
	chargeOfSet         = 19 // SET or ADD
	chargeOfRemoval     = 1  // REMOVE or DELETE
	chargeOfStep        = 4  // each element of a target after the first
	chargeOfPath        = 1  // each path that is read
	chargeOfElement     = 14 // each element of such a path
	chargeOfPlus        = 34
	chargeOfMinus       = 37
	chargeOfListAppend  = 37
	chargeOfIfNotExists = 39
)

// Charge returns the bytes that the service charges for an update of a single item, outside of
// transactions. It compares them with the size limit of an item before it reads the item. The
// charge covers the text of the update and all its values, stored or not.
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
		return sum + chargeOfSet + chargeOfSource(c.source)
	case addToken:
		return sum + chargeOfSet + value.Size(c.value)
	default:
		return sum + chargeOfRemoval
	}
}

func chargeOfSource(a assignment) int {
	switch a := a.(type) {
	case operandValue:
		return chargeOfOperand(a.operand)
	case sum:
		own := chargeOfPlus
		if a.operator == minus {
			own = chargeOfMinus
		}
		return own + chargeOfSource(a.left) + chargeOfSource(a.right)
	case functionResult:
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
		return value.Size(o.value)
	case functionCall:
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

// size returns the bytes of a name, or the number of digits of an index.
func (e Element) size() int {
	if e.isIndex() {
		return len(strconv.Itoa(e.Index))
	}
	return len(e.Name)
}
