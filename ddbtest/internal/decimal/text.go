package decimal

// String formats the number as in replies: plain digits, without an exponent and without
// insignificant zeros.
func (d Decimal) String() string {
	var buffer [64]byte
	return string(d.AppendTo(buffer[:0]))
}

// AppendTo appends the result of [Decimal.String].
func (d Decimal) AppendTo(dst []byte) []byte {
	if d.isZero() {
		return append(dst, '0')
	}
	if d.neg {
		dst = append(dst, '-')
	}
	var buffer [maxDigits]byte
	digits := d.coefficient().appendDigits(buffer[:0])
	switch point := len(digits) + int(d.exp); {
	case d.exp >= 0:
		return appendZeros(append(dst, digits...), int(d.exp))
	case point <= 0:
		dst = appendZeros(append(dst, "0."...), -point)
		return append(dst, digits...)
	default:
		dst = append(dst, digits[:point]...)
		dst = append(dst, '.')
		return append(dst, digits[point:]...)
	}
}

func appendZeros(dst []byte, n int) []byte {
	for range n {
		dst = append(dst, '0')
	}
	return dst
}

// Size returns the bytes that the service charges: one, plus one for every two significant digits
// or part of them on each side of the point, plus one for a minus sign.
func (d Decimal) Size() int {
	if d.isZero() {
		return 1
	}
	digits := d.coefficient().digits()
	whole := min(max(digits+int(d.exp), 0), digits)
	size := 1 + pairs(whole) + pairs(digits-whole)
	if d.neg {
		size++
	}
	return size
}

func pairs(digits int) int { return (digits + 1) / 2 }
