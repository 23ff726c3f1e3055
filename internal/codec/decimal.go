package codec

import (
	"cmp"
	"errors"
	"strconv"
	"strings"
)

// decimal is a parsed number literal. It holds the significant digits, without leading and trailing
// zeros, and the power of ten of the first digit. Zero is the zero value.
type decimal struct {
	sign     int // -1, 0 or 1
	digits   string
	exponent int // of the first digit: 0 for 1.5, 2 for 150, -3 for 0.0015
}

// maxDigits is the maximum number of significant digits in a DynamoDB number.
const maxDigits = 38

// parseDecimal parses a literal as DynamoDB does. It returns [ErrNotNumber] if s is not a number,
// and [ErrNumber] if s has too many digits or is out of range.
func parseDecimal(s string) (d decimal, err error) {
	mantissa, exponent, hasExponent := strings.Cut(strings.ToLower(s), "e")
	power := 0
	if hasExponent {
		power, err = strconv.Atoi(exponent)
		if errors.Is(err, strconv.ErrSyntax) {
			return d, ErrNotNumber
		}
	}
	d.sign = 1
	if unsigned, negative := strings.CutPrefix(mantissa, "-"); negative {
		mantissa, d.sign = unsigned, -1
	} else {
		mantissa = strings.TrimPrefix(mantissa, "+")
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	all := whole + fraction
	if all == "" || strings.Trim(all, "0123456789") != "" {
		return d, ErrNotNumber
	}
	trimmed := strings.TrimLeft(all, "0")
	d.exponent = power + len(whole) - 1 - (len(all) - len(trimmed))
	d.digits = strings.TrimRight(trimmed, "0")
	switch {
	case len(strings.TrimLeft(exponent, "+-")) > 4: // DynamoDB refuses it even for zero
		return d, ErrNumber
	case d.digits == "":
		return decimal{}, nil
	case len(d.digits) > maxDigits || d.exponent < -130 || d.exponent > 125:
		return d, ErrNumber
	}
	return d, nil
}

// IsNumber reports whether a literal is a number that DynamoDB stores.
func IsNumber(literal string) bool {
	_, err := parseDecimal(literal)
	return err == nil
}

// NumberIdentity returns a canonical spelling, the same for equal numbers. It returns any other
// literal unchanged.
func NumberIdentity(literal string) string {
	d, err := parseDecimal(literal)
	if err != nil {
		return literal
	}
	if d.sign < 0 {
		d.digits = "-" + d.digits
	}
	return d.digits + "e" + strconv.Itoa(d.exponent)
}

// CompareNumbers compares two numbers that DynamoDB can hold exactly, in any spelling.
func CompareNumbers(a, b string) int {
	x, _ := parseDecimal(a)
	y, _ := parseDecimal(b)
	abs := cmp.Or(cmp.Compare(x.exponent, y.exponent), strings.Compare(x.digits, y.digits))
	return cmp.Or(cmp.Compare(x.sign, y.sign), x.sign*abs)
}
