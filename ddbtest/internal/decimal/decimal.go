// Package decimal has the service's numbers, exactly: 38 significant digits, a magnitude from 1E-130 to
// 9.9999999999999999999999999999999999999E+125, both signs, and 0.
//
// [Parse] reads every spelling that the service takes, [Decimal.String] writes the one it replies with, [Decimal.Add] and [Decimal.Sub]
// calculate without rounding, [Decimal.Size] is what the service charges, and [Decimal.AppendKey] makes bytes that sort as the numbers do.
package decimal

import (
	"errors"
	"math"
)

// The service's limits: significant digits, and the power of ten of the first of them.
const (
	maxDigits    = 38
	minMagnitude = -130
	maxMagnitude = 125
)

// Why a text, or the result of a calculation, is no number of the service.
var (
	ErrSyntax    = errors.New("decimal: not a number")
	ErrPrecision = errors.New("decimal: more than 38 significant digits")
	ErrOverflow  = errors.New("decimal: magnitude too large")
	ErrUnderflow = errors.New("decimal: magnitude too small")
)

// Decimal is a number of the service. A number has one representation only, so == tells whether two are equal; the zero value is 0.
type Decimal struct {
	hi, lo uint64 // the halves of the coefficient: below 10^38, without trailing zeros
	exp    int16  // the power of ten of the coefficient's last digit
	neg    bool
}

// FromInt is i as a Decimal.
func FromInt(i int64) Decimal {
	magnitude := uint64(i)
	if i < 0 {
		magnitude = -magnitude
	}
	c, zeros := coefficient{lo: magnitude}.trim()
	return compose(i < 0, c, zeros)
}

// compose makes a number of a coefficient without trailing zeros. The number is within the limits.
func compose(neg bool, c coefficient, exp int) Decimal {
	return Decimal{hi: c.hi, lo: c.lo, exp: int16(exp), neg: neg}
}

// Int64 is the number as an integer; false where it has a fraction or does not fit.
func (d Decimal) Int64() (int64, bool) {
	if d.exp < 0 || d.exp >= wordDigits {
		return 0, false
	}
	c, ok := d.coefficient().scale(int(d.exp))
	switch {
	case !ok || c.hi != 0:
		return 0, false
	case d.neg:
		return -int64(c.lo), c.lo <= -math.MinInt64
	}
	return int64(c.lo), c.lo <= math.MaxInt64
}

// Sign is -1, 0 or +1, as the number is negative, 0 or positive.
func (d Decimal) Sign() int {
	switch {
	case d.neg:
		return -1
	case d.isZero():
		return 0
	}
	return +1
}

func (d Decimal) isZero() bool { return d.hi|d.lo == 0 }

func (d Decimal) coefficient() coefficient { return coefficient{d.hi, d.lo} }

// magnitude is the power of ten of the first significant digit. The number is not 0.
func (d Decimal) magnitude() int { return int(d.exp) + d.coefficient().digits() - 1 }

// checkMagnitude tells whether numbers of a magnitude are within the limits.
func checkMagnitude(magnitude int64) error {
	switch {
	case magnitude > maxMagnitude:
		return ErrOverflow
	case magnitude < minMagnitude:
		return ErrUnderflow
	}
	return nil
}
