package expr

import (
	"strconv"
	"strings"
)

// Limits of the service for the expressions of one request.
const (
	MaxExpression    = 4096            // bytes of one expression
	MaxSubstitutions = 2 * 1024 * 1024 // bytes of all names, values and placeholders of a request
	MaxName          = 65_535          // bytes of an attribute's name
	MaxOperators     = 300             // operators and functions of one expression
	MaxIn            = 100             // operands of IN
)

// CheckCondition refuses a condition that is longer than the service takes, or has more operators. Whoever joins conditions checks the
// whole once more.
func CheckCondition(text string) error {
	if err := CheckLength(text); err != nil {
		return err
	}
	if n := operators(text); n > MaxOperators {
		return exceeds("", "a condition has "+strconv.Itoa(n)+" operators and functions, and 300 are the most", "ask less at once")
	}
	return nil
}

// CheckLength refuses an expression that is longer than the service takes.
func CheckLength(text string) error {
	if len(text) > MaxExpression {
		return exceeds("", "an expression of "+strconv.Itoa(len(text))+" bytes is longer than 4 KB", "ask or change less at once")
	}
	return nil
}

// operators counts the operators and functions of a condition as the service does: AND, OR and NOT are operators, IN and BETWEEN are one
// each. Names and values are placeholders, so words can be told apart by spaces.
func operators(text string) int {
	n := 0
	for word := range strings.FieldsSeq(text) {
		word = strings.TrimLeft(word, "(")
		switch word {
		case "=", "<>", "<", "<=", ">", ">=", "AND", "OR", "NOT", "IN":
			n++
		case "BETWEEN": // its AND counts
		default:
			n += strings.Count(word, "(")
		}
	}
	return n
}
