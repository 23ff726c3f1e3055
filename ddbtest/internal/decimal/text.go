package decimal

// String is the number as the service replies with it: plain digits, without an exponent and without zeros that carry no value.
func (d Decimal) String() string {
	var buffer [64]byte
	return string(d.AppendTo(buffer[:0]))
}

// AppendTo appends what [Decimal.String] returns.
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
