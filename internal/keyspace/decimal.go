package keyspace

import (
	"cmp"
	"errors"
	"strconv"
	"strings"
)

// Decimal is a number. It holds the significant digits, without leading and trailing zeros, and the
// power of ten of the first digit. The number 0 is the zero value.
type Decimal struct {
	Sign     int // -1, 0 or 1
	Digits   string
	Exponent int // of the first digit: 0 for 1.5, 2 for 150, -3 for 0.0015
}

// The limits of a DynamoDB number.
const (
	maxDigits   = 38
	minExponent = -130
	maxExponent = 125

	// maxExponentDigits is the maximum length of an exponent. DynamoDB refuses a longer one even if
	// the number is 0.
	maxExponentDigits = 4
)

// noNumber is the Sign of a text that is not a number. It sorts before every number.
const noNumber = -2

// ParseDecimal parses a number in any notation. It returns false for any other text.
func ParseDecimal(text string) (Decimal, bool) {
	none := Decimal{Sign: noNumber}
	mantissa, exponent, hasExponent := strings.Cut(strings.ToLower(text), "e")
	power := 0
	if hasExponent {
		n, err := strconv.Atoi(exponent)
		if errors.Is(err, strconv.ErrSyntax) {
			return none, false
		}
		power = n
	}
	d := Decimal{Sign: 1}
	if unsigned, negative := strings.CutPrefix(mantissa, "-"); negative {
		mantissa, d.Sign = unsigned, -1
	} else {
		mantissa = strings.TrimPrefix(mantissa, "+")
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	all := whole + fraction
	if all == "" || strings.Trim(all, "0123456789") != "" {
		return none, false
	}
	trimmed := strings.TrimLeft(all, "0")
	d.Digits = strings.TrimRight(trimmed, "0")
	d.Exponent = power + len(whole) - 1 - (len(all) - len(trimmed))
	switch {
	case len(strings.TrimLeft(exponent, "+-")) > maxExponentDigits:
		d.Exponent = maxExponent + 1
	case d.Digits == "":
		return Decimal{}, true
	}
	return d, true
}

// Storable reports whether DynamoDB can hold the number: it has at most 38 significant digits, and
// its magnitude is within 1E-130 to 9.99E+125.
func (d Decimal) Storable() bool {
	return len(d.Digits) <= maxDigits && minExponent <= d.Exponent && d.Exponent <= maxExponent
}

// IsNumber reports whether a text is a number that DynamoDB can hold.
func IsNumber(text string) bool {
	d, ok := ParseDecimal(text)
	return ok && d.Storable()
}

// NumberIdentity returns a canonical spelling, the same for equal numbers. It returns any text that
// is not a number of DynamoDB unchanged.
func NumberIdentity(text string) string {
	d, ok := ParseDecimal(text)
	if !ok || !d.Storable() {
		return text
	}
	if d.Sign < 0 {
		d.Digits = "-" + d.Digits
	}
	return d.Digits + "e" + strconv.Itoa(d.Exponent)
}

// CompareNumbers compares two numbers exactly, in any spelling. A text that is not a number sorts
// first.
func CompareNumbers(a, b string) int {
	x, _ := ParseDecimal(a)
	y, _ := ParseDecimal(b)
	abs := cmp.Or(cmp.Compare(x.Exponent, y.Exponent), strings.Compare(x.Digits, y.Digits))
	return cmp.Or(cmp.Compare(x.Sign, y.Sign), x.Sign*abs)
}
