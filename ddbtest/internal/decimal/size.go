package decimal

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
