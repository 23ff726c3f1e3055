package decimal

import "cmp"

// Cmp is -1, 0 or +1, as d is less than, equal to or greater than e.
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
	// The first digits stand at the same place. So zeros that bring the last ones there too make no coefficient longer than the other.
	c, o := d.coefficient(), e.coefficient()
	if d.exp > e.exp {
		c, _ = c.scale(int(d.exp - e.exp))
	} else {
		o, _ = o.scale(int(e.exp - d.exp))
	}
	return c.compare(o)
}

// Sub is d-e, on the terms of [Decimal.Add].
func (d Decimal) Sub(e Decimal) (Decimal, error) {
	if !e.isZero() {
		e.neg = !e.neg
	}
	return d.Add(e)
}

// Add is d+e, exactly. A sum that is no number of the service is refused, as the service does, and never rounded: with [ErrUnderflow] where
// it is too small, and with [ErrOverflow] where it is too large or would need more than 38 digits, which the service calls an overflow as well.
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

// addAligned is the coefficient and the sign of d+e, counted at e's last digit, of which d's is not to the right; false where it exceeds 128
// bits. That is never for want of trimming: then d ends to the left of e, so the sum ends with e's last digit, and has 39 at least.
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
