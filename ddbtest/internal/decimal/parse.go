package decimal

import (
	"math"
	"math/bits"
)

// Parse parses a number in any spelling that the service accepts: an optional sign, digits with at
// most one point before, among or after them, and an optional 64-bit exponent. Leading and trailing
// zeros are unlimited. It returns [ErrSyntax], [ErrPrecision], [ErrOverflow] or [ErrUnderflow].
// A 0 is in range with any exponent.
func Parse(text string) (Decimal, error) {
	s, ok := scan(text)
	if !ok {
		return Decimal{}, ErrSyntax
	}
	if s.first < 0 {
		return Decimal{}, nil
	}
	digits := s.digits()
	if digits > maxDigits {
		return Decimal{}, ErrPrecision
	}
	exp := s.exponent + int64(s.lastPlace())
	if err := checkMagnitude(exp + int64(digits) - 1); err != nil {
		return Decimal{}, err
	}
	return compose(s.neg, readCoefficient(text[s.first:s.last+1]), int(exp)), nil
}

// spelling holds the positions of the parts of a number's text.
type spelling struct {
	neg         bool
	first, last int // the first and the last non-zero digit, or -1
	point       int // the point, or the end of the digits if there is none
	exponent    int64
}

// digits returns the number of significant digits.
func (s *spelling) digits() int {
	n := s.last - s.first + 1
	if s.first < s.point && s.point < s.last {
		n--
	}
	return n
}

// lastPlace returns the power of ten of the last significant digit, before the exponent is applied.
func (s *spelling) lastPlace() int {
	if s.last < s.point {
		return s.point - s.last - 1
	}
	return s.point - s.last
}

// scan finds the parts of a number's text in one pass.
func scan(text string) (spelling, bool) {
	s := spelling{first: -1, last: -1, point: -1}
	start := 0
	if text != "" && isSign(text[0]) {
		s.neg = text[0] == '-'
		start = 1
	}
	i := start
	for ; i < len(text); i++ {
		switch c := text[i]; {
		case '1' <= c && c <= '9':
			if s.first < 0 {
				s.first = i
			}
			s.last = i
			continue
		case c == '0':
			continue
		case c == '.' && s.point < 0:
			s.point = i
			continue
		}
		break
	}
	digits := i - start
	if s.point < 0 {
		s.point = i
	} else {
		digits--
	}
	if digits == 0 || i == len(text) {
		return s, digits > 0
	}
	if text[i]|0x20 != 'e' {
		return s, false
	}
	var ok bool
	s.exponent, ok = scanExponent(text[i+1:])
	return s, ok
}

// exponentBound exceeds the number of digits of any text. It is small enough that adding that
// number cannot overflow.
const exponentBound = 1 << 60

// scanExponent reads an optional sign and digits. An exponent that does not fit in 64 bits is
// invalid. A valid one is clamped to the bound.
func scanExponent(text string) (int64, bool) {
	limit := uint64(math.MaxInt64)
	neg := false
	if text != "" && isSign(text[0]) {
		neg = text[0] == '-'
		text = text[1:]
	}
	if neg {
		limit++
	}
	var n uint64
	for i := range len(text) {
		digit := uint64(text[i] - '0')
		if digit > 9 || n > (limit-digit)/10 {
			return 0, false
		}
		n = n*10 + digit
	}
	exponent := int64(min(n, exponentBound))
	if neg {
		exponent = -exponent
	}
	return exponent, text != ""
}

// readCoefficient reads at most 38 digits, with or without a point among them.
func readCoefficient(text string) coefficient {
	var head, tail uint64 // the first 19 digits, and the others
	digits := 0
	for i := range len(text) {
		c := text[i]
		switch {
		case c == '.':
			continue
		case digits < wordDigits:
			head = head*10 + uint64(c-'0')
		default:
			tail = tail*10 + uint64(c-'0')
		}
		digits++
	}
	hi, lo := bits.Mul64(head, powers[max(digits-wordDigits, 0)].lo)
	lo, carry := bits.Add64(lo, tail, 0)
	return coefficient{hi + carry, lo}
}

func isSign(c byte) bool { return c == '+' || c == '-' }
