package expression_test

import (
	"strings"
	"unicode/utf16"

	"github.com/trestledb/trestle/ddbtest/internal/decimal"
	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// evaluation is how the test evaluates a condition: slowly and simply. The zero value is correct.
// Each member enables a naive way that is wrong.
type evaluation struct {
	numbersAsText   bool // numbers are compared as strings
	absentIsEqual   bool // an absent attribute is never unequal
	noBoundIncluded bool // BETWEEN excludes its bounds
	fromTheLeft     bool // AND has the precedence of OR; it affects the text, not the evaluation
	sizeInBytes     bool // the size of a string is its UTF-8 length
}

// lookup follows a path step by step.
func lookup(item value.Map, w randomPath) value.Value {
	var v value.Value = item
	for _, step := range w {
		var next value.Value
		switch document := v.(type) {
		case value.Map:
			for _, a := range document {
				if a.Name == step {
					next = a.Value
				}
			}
		case value.List:
			for i, element := range document {
				if i == step {
					next = element
				}
			}
		}
		v = next
	}
	return v
}

// same compares by type and by the plain text of the values.
func same(a, b value.Value, e *evaluation) bool {
	if a == nil || b == nil || a.Kind() != b.Kind() {
		return false
	}
	c, ok := order(a, b, e)
	return ok && c == 0 || !ok && value.Equal(a, b)
}

// order compares values that have an order.
func order(a, b value.Value, e *evaluation) (int, bool) {
	if a == nil || b == nil || a.Kind() != b.Kind() {
		return 0, false
	}
	switch a := a.(type) {
	case value.String:
		return strings.Compare(string(a), string(b.(value.String))), true
	case value.Binary:
		return strings.Compare(string(a), string(b.(value.Binary))), true
	case value.Number:
		if e.numbersAsText {
			return strings.Compare(a.String(), b.(value.Number).String()), true
		}
		difference, err := a.Sub(b.(value.Number).Decimal)
		return difference.Sign(), err == nil
	}
	return 0, false
}

func hasPrefix(whole, prefix value.Value) bool {
	if whole == nil || prefix == nil || whole.Kind() != prefix.Kind() {
		return false
	}
	a, aOK := plain(whole)
	b, bOK := plain(prefix)
	return aOK && bOK && len(a) >= len(b) && a[:len(b)] == b
}

// plain returns the content of a string or a binary value.
func plain(v value.Value) (string, bool) {
	switch v := v.(type) {
	case value.String:
		return string(v), true
	case value.Binary:
		return string(v), true
	}
	return "", false
}

func has(whole, part value.Value, e *evaluation) bool {
	if whole == nil || part == nil {
		return false
	}
	for _, member := range members(whole) {
		if same(member, part, e) {
			return true
		}
	}
	a, aOK := plain(whole)
	b, bOK := plain(part)
	return aOK && bOK && whole.Kind() == part.Kind() && strings.Contains(a, b)
}

// members returns the members of a set or the elements of a list.
func members(v value.Value) []value.Value {
	var found []value.Value
	switch v := v.(type) {
	case value.List:
		return v
	case value.StringSet:
		for _, s := range v {
			found = append(found, value.String(s))
		}
	case value.BinarySet:
		for _, s := range v {
			found = append(found, value.Binary(s))
		}
	case value.NumberSet:
		for _, d := range v {
			found = append(found, value.Number{Decimal: d})
		}
	}
	return found
}

// sizeOf returns the expected value of size(), or nil.
func sizeOf(v value.Value, e *evaluation) value.Value {
	var n int
	switch v := v.(type) {
	case value.String:
		n = len(utf16.Encode([]rune(string(v))))
		if e.sizeInBytes {
			n = len(v)
		}
	case value.Binary:
		n = len(v)
	case value.Map:
		n = len(v)
	case value.List, value.StringSet, value.NumberSet, value.BinarySet:
		n = len(members(v))
	default:
		return nil
	}
	return count(n)
}

func count(n int) value.Value { return value.Number{Decimal: decimal.FromInt(int64(n))} }
