package decimal

// AppendKey appends 2 to 21 bytes that sort as the numbers do. No encoding is a prefix of another.
//
// A positive number is encoded in base 100. The first byte is the place of the first pair of
// digits, with the top bit set. One byte follows for each pair p: 2p for the last pair, 2p+1 for
// the others. So the end of every number is marked, and a number sorts before longer ones that
// begin with its digits. A negative number is the bytewise complement of its absolute value. 0 is
// the lowest place, followed by a pair without digits.
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
	positive   = 0x80              // the top bit of the first byte
	lowestPair = minMagnitude >> 1 // place of the first pair of 1E-130 = 1·100^-65, the least
)

// appendPairs appends the pairs of digits. The first pair has one digit unless full is true. The
// last pair may have one digit.
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
