package keys

import "errors"

// exactChecker is a codec that can check whether it keeps a value exactly, without encoding and
// decoding it.
type exactChecker interface {
	exact(v Value) bool
}

// isExact reports whether decoding returns the same value that was encoded. It does not rely on the
// Lossless flag of a custom format.
func (p *placeholder) isExact(v Value) bool {
	if !p.custom && p.lossless {
		return true
	}
	if c, ok := p.codec.(exactChecker); ok {
		return c.exact(v)
	}
	kept, ok := p.codec.decode(encoded(p.codec, v))
	return ok && kept.Equal(v)
}

// Exact returns an error that wraps [ErrNotExact] if Parse would not return v for placeholder i
// exactly. Other errors are those of Append.
func (t *Template) Exact(i int, v Value) error { return t.orZero().tryAppend(i, v, true) }

// Kept returns v with the precision that the format of placeholder i keeps, such as the day of a
// time or the lower case of a text. Errors are those of Append.
func (t *Template) Kept(i int, v Value) (Value, error) {
	t = t.orZero()
	if err := t.tryAppend(i, v, false); err != nil {
		return Value{}, err
	}
	p := &t.placeholders[i]
	if p.isExact(v) {
		return v, nil
	}
	kept, ok := p.codec.decode(encoded(p.codec, v))
	if !ok {
		return Value{}, t.locate(i, newValueError(ErrNotExact, "the format cannot decode its own text", ""))
	}
	return kept, nil
}

// tryAppend returns the error of appending a value for placeholder i, or an operand if exact is
// set.
func (t *Template) tryAppend(i int, v Value, exact bool) error {
	if i < 0 || i >= len(t.placeholders) {
		return t.wrongCount(i+1, "at most ")
	}
	_, err := t.appendOne(nil, i, v, exact)
	return err
}

// prefix returns the text before placeholder len(fixed). The fixed values must be exact.
func (t *Template) prefix(fixed []Value) (string, error) {
	if len(fixed) == 0 {
		return t.space.Literals[0], nil
	}
	return t.toString(func(dst []byte) ([]byte, error) { return t.appendFirst(dst, fixed, true) })
}

// operand returns prefix followed by the segment of a value to compare with.
func (t *Template) operand(prefix string, i int, v Value) (string, error) {
	return t.toString(func(dst []byte) ([]byte, error) { return t.appendOne(append(dst, prefix...), i, v, true) })
}

// appendOperand appends the segment of a value to compare with. The format must represent the value
// exactly.
func (t *Template) appendOperand(dst []byte, i int, v Value) ([]byte, *ValueError) {
	p := &t.placeholders[i]
	out, invalid := t.appendValue(dst, i, v)
	switch {
	case invalid != nil && errors.Is(invalid.Err, ErrOutOfRange):
		cause := invalid.Err
		invalid.Err, invalid.cause = ErrNotExact, &cause
	case invalid == nil && !p.isExact(v):
		invalid = t.locate(i, newValueError(ErrNotExact, "the format cannot represent the operand", p.rounding))
	}
	return out, invalid
}
