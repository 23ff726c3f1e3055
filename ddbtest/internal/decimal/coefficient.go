package decimal

import (
	"cmp"
	"math/bits"
	"strconv"
)

// coefficient is an unsigned 128-bit integer.
type coefficient struct{ hi, lo uint64 }

// wordDigits is the number of decimal digits that always fit in 64 bits.
const wordDigits = 19

// powers holds 10^0 to 10^38: all powers that fit in a coefficient.
var powers = func() (p [maxDigits + 1]coefficient) {
	p[0].lo = 1
	for i := 1; i < len(p); i++ {
		carry, lo := bits.Mul64(p[i-1].lo, 10)
		p[i] = coefficient{p[i-1].hi*10 + carry, lo}
	}
	return p
}()

// digits returns the number of decimal digits of c; 0 has none.
func (c coefficient) digits() int {
	width := bits.Len64(c.lo)
	if c.hi != 0 {
		width = 64 + bits.Len64(c.hi)
	}
	// 1233/4096 approximates log10(2) closely enough for 128 bits: n is exact or one too small.
	n := width * 1233 >> 12
	if c.compare(powers[n]) >= 0 {
		n++
	}
	return n
}

func (c coefficient) compare(o coefficient) int {
	if c.hi != o.hi {
		return cmp.Compare(c.hi, o.hi)
	}
	return cmp.Compare(c.lo, o.lo)
}

// add returns c+o. It returns false if the sum exceeds 128 bits.
func (c coefficient) add(o coefficient) (coefficient, bool) {
	lo, carry := bits.Add64(c.lo, o.lo, 0)
	hi, carry := bits.Add64(c.hi, o.hi, carry)
	return coefficient{hi, lo}, carry == 0
}

// sub returns c-o. o must not be greater than c.
func (c coefficient) sub(o coefficient) coefficient {
	lo, borrow := bits.Sub64(c.lo, o.lo, 0)
	hi, _ := bits.Sub64(c.hi, o.hi, borrow)
	return coefficient{hi, lo}
}

// scale returns c·10^n for n of at most 38. It returns false if the product exceeds 128 bits.
func (c coefficient) scale(n int) (coefficient, bool) {
	p := powers[n]
	if c.hi != 0 && p.hi != 0 {
		return coefficient{}, false
	}
	high, other := c.hi, p.lo
	if p.hi != 0 {
		high, other = p.hi, c.lo
	}
	over, cross := bits.Mul64(high, other)
	hi, lo := bits.Mul64(c.lo, p.lo)
	hi, carry := bits.Add64(hi, cross, 0)
	return coefficient{hi, lo}, over|carry == 0
}

// quoRem divides c by a 64-bit divisor.
func (c coefficient) quoRem(divisor uint64) (quotient coefficient, remainder uint64) {
	hi, lo := c.hi/divisor, c.lo
	lo, remainder = bits.Div64(c.hi%divisor, lo, divisor)
	return coefficient{hi, lo}, remainder
}

// trim removes the trailing zeros, and counts them.
func (c coefficient) trim() (trimmed coefficient, zeros int) {
	if c == (coefficient{}) {
		return c, 0
	}
	for _, n := range [...]int{16, 16, 8, 4, 2, 1} {
		if bits.TrailingZeros64(c.lo) < n {
			continue // 10^n divides c only if 2^n does: this avoids most divisions
		}
		if quotient, remainder := c.quoRem(powers[n].lo); remainder == 0 {
			c, zeros = quotient, zeros+n
		}
	}
	return c, zeros
}

// appendDigits appends the decimal digits of c, which must be below 10^38 and not 0.
func (c coefficient) appendDigits(dst []byte) []byte {
	if c.hi == 0 {
		return strconv.AppendUint(dst, c.lo, 10)
	}
	head, tail := bits.Div64(c.hi, c.lo, powers[wordDigits].lo)
	dst = strconv.AppendUint(dst, head, 10)
	dst = append(dst, "0000000000000000000"...)
	for i := len(dst) - 1; tail > 0; i-- {
		dst[i] = '0' + byte(tail%10)
		tail /= 10
	}
	return dst
}
