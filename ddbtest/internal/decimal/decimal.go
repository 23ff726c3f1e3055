// Package decimal implements the service's numbers exactly: 38 significant digits, a magnitude from
// 1E-130 to 9.9999999999999999999999999999999999999E+125, both signs, and 0.
//
// [Parse] accepts every spelling that the service accepts. [Decimal.String] formats a number as in
// replies. [Decimal.Add] and [Decimal.Sub] compute without rounding. [Decimal.Size] returns the
// charged size. [Decimal.AppendKey] encodes a number so that the bytes sort as the numbers do.
package decimal

import (
	"errors"
	"math"
)

// Limits: the number of significant digits, and the power of ten of the first one.
const (
	maxDigits    = 38
	minMagnitude = -130
	maxMagnitude = 125
)

// Errors of a string or of a result that is not a valid number.
var (
	ErrSyntax    = errors.New("decimal: not a number")
	ErrPrecision = errors.New("decimal: more than 38 significant digits")
	ErrOverflow  = errors.New("decimal: magnitude too large")
	ErrUnderflow = errors.New("decimal: magnitude too small")
)

// Decimal is a number of the service. Each number has one representation, so == compares by value.
// The zero value is 0.
type Decimal struct {
	// The halves of the coefficient: below 10^38, without trailing zeros.
	hi, lo uint64
	exp    int16 // power of ten of the last digit
	neg    bool
}

// FromInt returns i as a Decimal.
func FromInt(i int64) Decimal {
	magnitude := uint64(i)
	if i < 0 {
		magnitude = -magnitude
	}
	c, zeros := coefficient{lo: magnitude}.trim()
	return compose(i < 0, c, zeros)
}

// compose makes a number of a coefficient without trailing zeros. The number must be within the
// limits.
func compose(neg bool, c coefficient, exp int) Decimal {
	return Decimal{hi: c.hi, lo: c.lo, exp: int16(exp), neg: neg}
}

// Int64 returns the number as an integer. It returns false if the number has a fraction or does not
// fit.
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

// Sign returns -1, 0 or +1 if the number is negative, 0 or positive.
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

// magnitude returns the power of ten of the first significant digit. The number must not be 0.
func (d Decimal) magnitude() int { return int(d.exp) + d.coefficient().digits() - 1 }

// checkMagnitude returns an error if a magnitude is outside the limits.
func checkMagnitude(magnitude int64) error {
	switch {
	case magnitude > maxMagnitude:
		return ErrOverflow
	case magnitude < minMagnitude:
		return ErrUnderflow
	}
	return nil
}
