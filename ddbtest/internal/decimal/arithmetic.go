package decimal

import "cmp"

// Cmp returns -1, 0 or +1 if d is less than, equal to or greater than e.
func (d Decimal) Cmp(e Decimal) int {
	if ds, es := d.Sign(), e.Sign(); ds != es || ds == 0 {
		return cmp.Compare(ds, es)
	}
	if d.neg {
		d, e = e, d
	}
	if order := cmp.Compare(d.magnitude(), e.magnitude()); order != 0 {
		return order
	}
	// Both numbers have the same magnitude. Zeros that align the last digits make neither
	// coefficient longer than the other.
	c, o := d.coefficient(), e.coefficient()
	if d.exp > e.exp {
		c, _ = c.scale(int(d.exp - e.exp))
	} else {
		o, _ = o.scale(int(e.exp - d.exp))
	}
	return c.compare(o)
}

// Sub returns d-e, with the errors of [Decimal.Add].
func (d Decimal) Sub(e Decimal) (Decimal, error) {
	if !e.isZero() {
		e.neg = !e.neg
	}
	return d.Add(e)
}

// Add returns the exact sum d+e. It never rounds. Like the service, it returns an error if the sum
// is not representable: [ErrUnderflow] if it is too small, and [ErrOverflow] if it is too large or
// needs more than 38 digits. The service reports both as an overflow.
func (d Decimal) Add(e Decimal) (Decimal, error) {
	switch {
	case e.isZero():
		return d, nil
	case d.isZero():
		return e, nil
	case d.exp < e.exp:
		d, e = e, d
	}
	sum, neg, ok := addAligned(d, e)
	if !ok {
		return Decimal{}, ErrOverflow
	}
	sum, zeros := sum.trim()
	digits := sum.digits()
	switch {
	case digits == 0:
		return Decimal{}, nil
	case digits > maxDigits:
		return Decimal{}, ErrOverflow
	}
	exp := int(e.exp) + zeros
	if err := checkMagnitude(int64(exp + digits - 1)); err != nil {
		return Decimal{}, err
	}
	return compose(neg, sum, exp), nil
}

// Neighbor returns a number that is next to d in at most 38 digits, before or after it. It returns
// false if there is none.
func (d Decimal) Neighbor(before bool) (Decimal, bool) {
	step := Decimal{lo: 1, exp: minMagnitude, neg: before}
	if !d.isZero() {
		step.exp = int16(max(d.magnitude()-maxDigits+1, minMagnitude))
	}
	n, err := d.Add(step)
	return n, err == nil
}

// addAligned returns the coefficient and the sign of d+e, in units of e's last digit. d.exp must
// not be less than e.exp. ok is false if the coefficient exceeds 128 bits. Trimming zeros could not
// avoid that: the sum ends with e's last digit, and has at least 39 digits.
func addAligned(d, e Decimal) (sum coefficient, neg, ok bool) {
	zeros := int(d.exp) - int(e.exp)
	if zeros > maxDigits {
		return coefficient{}, false, false
	}
	c, ok := d.coefficient().scale(zeros)
	if !ok {
		return coefficient{}, false, false
	}
	o := e.coefficient()
	switch {
	case d.neg == e.neg:
		sum, ok = c.add(o)
		return sum, d.neg, ok
	case c.compare(o) < 0:
		return o.sub(c), e.neg, true
	}
	return c.sub(o), d.neg, true
}
