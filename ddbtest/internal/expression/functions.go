package expression

import (
	"strings"
	"unicode/utf8"

	"github.com/trestledb/trestle/ddbtest/internal/awserr"
	"github.com/trestledb/trestle/ddbtest/internal/decimal"
	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// maxOperands is the largest number of operands of a function.
const maxOperands = 2

// arguments are the values of a function's operands in an item. An operand without a value is nil.
type arguments [maxOperands]value.Value

// function defines a function. Exactly one of test, value and assign is set. It decides where the
// function is allowed.
type function struct {
	grammar  grammar
	operands []operandRule // their number is the required one
	distinct bool          // the first path must not equal another operand
	check    func(b *binder, operands []operand) error

	test   func(x arguments) bool                 // a condition
	value  func(x arguments) value.Value          // an operand; nil if it has no value
	assign func(x arguments) (value.Value, error) // the whole right side of a SET
	kind   value.Kind                             // the type of the value, if it is always the same
}

// grammar is the kind of expression that a function belongs to, as error messages name it.
type grammar string

const (
	conditionGrammar grammar = "a condition expression"
	updateGrammar    grammar = "an update expression"
)

// operandRule is what an operand must be.
type operandRule struct {
	path  bool    // a document path
	kinds kindSet // if it is a value: its allowed types; 0 allows all
}

var (
	anyOperand  = operandRule{}
	pathOperand = operandRule{path: true}
)

func operandOf(kinds kindSet) operandRule { return operandRule{kinds: kinds} }

// functions holds all functions by name. A new function is added here and nowhere else.
var functions = map[string]*function{
	"attribute_exists": {
		grammar:  conditionGrammar,
		operands: []operandRule{pathOperand},
		test:     func(x arguments) bool { return x[0] != nil },
	},
	"attribute_not_exists": {
		grammar:  conditionGrammar,
		operands: []operandRule{pathOperand},
		test:     func(x arguments) bool { return x[0] == nil },
	},
	"attribute_type": {
		grammar:  conditionGrammar,
		operands: []operandRule{anyOperand, operandOf(texts)},
		distinct: true,
		check:    checkTypeName,
		test:     hasType,
	},
	"begins_with": {
		grammar:  conditionGrammar,
		operands: []operandRule{operandOf(prefixed), operandOf(prefixed)},
		distinct: true,
		test:     beginsWith,
	},
	"contains": {
		grammar:  conditionGrammar,
		operands: []operandRule{anyOperand, anyOperand},
		distinct: true,
		test:     contains,
	},
	"size": {
		grammar:  conditionGrammar,
		operands: []operandRule{operandOf(sized)},
		value:    size,
		kind:     value.KindNumber,
	},
	"if_not_exists": {
		grammar:  updateGrammar,
		operands: []operandRule{pathOperand, anyOperand},
		distinct: true,
		value:    ifNotExists,
	},
	"list_append": {
		grammar:  updateGrammar,
		operands: []operandRule{operandOf(lists), operandOf(lists)},
		assign:   listAppend,
	},
}

// checkTypeName rejects a second operand that is not a type name. It must be a value of the
// request.
func checkTypeName(b *binder, operands []operand) error {
	typeName, ok := operands[1].(literal)
	if !ok {
		return b.errorf("Incorrect operand type for operator or function; operator or function: attribute_type, operand type: {NS,SS,L,BS,N,M,B,BOOL,NULL,S}")
	}
	name, _ := typeName.value.(value.String)
	if value.KindOf(string(name)) == 0 {
		return b.errorf("Invalid attribute type name found; type: %s, valid types: {B,NULL,SS,BOOL,L,BS,N,NS,S,M}", string(name))
	}
	return nil
}

func hasType(x arguments) bool {
	name, ok := x[1].(value.String)
	return ok && x[0] != nil && x[0].Kind().String() == string(name)
}

func beginsWith(x arguments) bool {
	switch whole := x[0].(type) {
	case value.String:
		prefix, ok := x[1].(value.String)
		return ok && strings.HasPrefix(string(whole), string(prefix))
	case value.Binary:
		prefix, ok := x[1].(value.Binary)
		return ok && strings.HasPrefix(string(whole), string(prefix))
	}
	return false
}

// contains searches for a part of a string or a binary value, for a member of a set, or for an
// element of a list.
func contains(x arguments) bool {
	switch whole := x[0].(type) {
	case value.String:
		part, ok := x[1].(value.String)
		return ok && strings.Contains(string(whole), string(part))
	case value.Binary:
		part, ok := x[1].(value.Binary)
		return ok && strings.Contains(string(whole), string(part))
	case value.StringSet:
		member, ok := x[1].(value.String)
		return ok && whole.Contains(string(member))
	case value.NumberSet:
		member, ok := x[1].(value.Number)
		return ok && whole.Contains(member.Decimal)
	case value.BinarySet:
		member, ok := x[1].(value.Binary)
		return ok && whole.Contains(string(member))
	case value.List:
		for _, element := range whole {
			if value.Equal(element, x[1]) {
				return true
			}
		}
	}
	return false
}

// size returns the length of a string in UTF-16 code units, the bytes of a binary value, or the
// number of elements of a list, a map or a set.
func size(x arguments) value.Value {
	switch v := x[0].(type) {
	case value.String:
		return count(utf16Length(string(v)))
	case value.Binary:
		return count(len(v))
	case value.List:
		return count(len(v))
	case value.Map:
		return count(len(v))
	case value.StringSet:
		return count(len(v))
	case value.NumberSet:
		return count(len(v))
	case value.BinarySet:
		return count(len(v))
	}
	return nil
}

func count(n int) value.Value { return value.Number{Decimal: decimal.FromInt(int64(n))} }

func utf16Length(s string) int {
	length := utf8.RuneCountInString(s)
	for i := range len(s) {
		if s[i] >= 0xF0 { // the first byte of a character that needs two code units
			length++
		}
	}
	return length
}

// ifNotExists returns nil if the second operand has no value, even if the first one has.
func ifNotExists(x arguments) value.Value {
	if x[0] == nil || x[1] == nil {
		return x[1]
	}
	return x[0]
}

func listAppend(x arguments) (value.Value, error) {
	joined := value.List{}
	for _, v := range x {
		if v == nil {
			return nil, errNoAttribute()
		}
		list, ok := v.(value.List)
		if !ok {
			return nil, errOperandType()
		}
		joined = append(joined, list...)
	}
	return joined, nil
}

// Errors of an update that does not fit the item.

func errNoAttribute() error {
	return awserr.Validation("The provided expression refers to an attribute that does not exist in the item")
}

func errOperandType() error { return errIncorrectType }

var errIncorrectType = awserr.Validation("An operand in the update expression has an incorrect data type")

func errPath() error {
	return awserr.Validation("The document path provided in the update expression is invalid for update")
}
