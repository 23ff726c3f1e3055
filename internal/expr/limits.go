package expr

import (
	"strconv"
	"strings"
)

// Limits of DynamoDB for the expressions of one request.
const (
	MaxExpression    = 4096            // bytes of one expression
	MaxSubstitutions = 2 * 1024 * 1024 // bytes of all names, values and placeholders in a request
	MaxName          = 65_535          // bytes of an attribute name
	MaxOperators     = 300             // operators and functions in one expression
	MaxIn            = 100             // operands of IN
)

// CheckCondition returns an error if a condition exceeds 4 KB or 300 operators and functions.
// Callers that join conditions check the result again.
func CheckCondition(text string) error {
	if err := CheckLength(text); err != nil {
		return err
	}
	if n := countOperators(text); n > MaxOperators {
		return limitExceeded("", "a condition has "+strconv.Itoa(n)+" operators and functions, which exceeds 300", "split the condition")
	}
	return nil
}

// CheckLength returns an error if an expression exceeds 4 KB.
func CheckLength(text string) error {
	if len(text) > MaxExpression {
		return limitExceeded("", "an expression has "+strconv.Itoa(len(text))+" bytes, which exceeds 4 KB", "split the condition or the update")
	}
	return nil
}

// countOperators counts the operators and functions of a condition as DynamoDB does. AND, OR and
// NOT are operators. IN and BETWEEN are one operator each. Names and values are placeholders, so
// spaces separate words.
func countOperators(text string) int {
	n := 0
	for word := range strings.FieldsSeq(text) {
		word = strings.TrimLeft(word, "(")
		switch word {
		case "=", "<>", "<", "<=", ">", ">=", "AND", "OR", "NOT", "IN":
			n++
		case "BETWEEN": // counted with its AND
		default:
			n += strings.Count(word, "(")
		}
	}
	return n
}
