package decimal

// AppendKey appends bytes that sort as the numbers do, none a prefix of another's: 2 to 21 of them.
//
// A positive number is written in base 100. Its first byte is the place of its first pair of digits, with the top bit set. A byte for each
// pair p follows: 2p for the last one, 2p+1 for those before. So every number ends visibly, and sorts before the longer ones that begin with
// its digits. A negative number is the complement, byte by byte, of its positive. And 0 is the lowest place with no digit in it.
func (d Decimal) AppendKey(dst []byte) []byte {
	if d.isZero() {
		return append(dst, positive, 0)
	}
	start := len(dst)
	magnitude := d.magnitude()
	dst = append(dst, byte(positive+magnitude>>1-lowestPair))
	dst = d.appendPairs(dst, magnitude&1 != 0)
	if d.neg {
		for i := range dst[start:] {
			dst[start+i] ^= 0xff
		}
	}
	return dst
}

const (
	positive   = 0x80              // the first byte's top bit
	lowestPair = minMagnitude >> 1 // the least place of a number's first pair: that of 1E-130 = 1·100^-65
)

// appendPairs appends the pairs of digits. If the first is not to be full, it has one digit, and so may the last.
func (d Decimal) appendPairs(dst []byte, full bool) []byte {
	var buffer [maxDigits + 2]byte
	digits := buffer[:0]
	if !full {
		digits = append(digits, '0')
	}
	digits = d.coefficient().appendDigits(digits)
	if len(digits)&1 != 0 {
		digits = append(digits, '0')
	}
	for i := 0; i < len(digits); i += 2 {
		pair := (digits[i]-'0')*10 + digits[i+1] - '0'
		dst = append(dst, pair*2+1)
	}
	dst[len(dst)-1]--
	return dst
}
