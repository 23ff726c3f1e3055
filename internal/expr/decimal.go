package expr

import (
	"cmp"
	"strconv"
	"strings"
)

// compareNumbers compares two decimal numbers exactly, whatever their length and spelling.
func compareNumbers(a, b string) int {
	x, y := parseDecimal(a), parseDecimal(b)
	switch {
	case x.sign != y.sign:
		return cmp.Compare(x.sign, y.sign)
	case x.sign < 0:
		return y.compareAbs(x)
	default:
		return x.compareAbs(y)
	}
}

// decimal is ±0.digits × 10^exponent, without leading and trailing zeros. Zero has no digits.
type decimal struct {
	sign     int // -1, 0, 1
	digits   string
	exponent int
}

func parseDecimal(s string) decimal {
	d := decimal{sign: 1}
	if s != "" && (s[0] == '-' || s[0] == '+') {
		if s[0] == '-' {
			d.sign = -1
		}
		s = s[1:]
	}
	if i := strings.IndexAny(s, "eE"); i >= 0 {
		d.exponent, _ = strconv.Atoi(s[i+1:])
		s = s[:i]
	}
	whole, fraction, _ := strings.Cut(s, ".")
	d.exponent += len(whole)
	all := whole + fraction
	d.digits = strings.TrimLeft(all, "0")
	d.exponent -= len(all) - len(d.digits)
	d.digits = strings.TrimRight(d.digits, "0")
	if d.digits == "" {
		return decimal{}
	}
	return d
}

// compareAbs compares the absolute values of two numbers of the same sign.
func (d decimal) compareAbs(o decimal) int {
	return cmp.Or(cmp.Compare(d.exponent, o.exponent), strings.Compare(d.digits, o.digits))
}
