package keys

import "errors"

// exactly is a codec that can check whether it keeps a value exactly, without encoding and decoding
// it.
type exactly interface {
	exact(v Value) bool
}

// inexact returns an error if the format changes the operand, or if it rejected the operand with
// fault.
func (p *part) inexact(v Value, fault *ValueError) *ValueError {
	if fault != nil {
		below := fault.Err
		fault.Err, fault.cause = ErrNotExact, &below
		return fault
	}
	if p.holds(v) {
		return nil
	}
	return refuse(ErrNotExact, "the format cannot hold the operand", p.rounding)
}

// holds reports whether decoding returns the same value that was encoded. The Lossless flag of a
// custom format is not trusted.
func (p *part) holds(v Value) bool {
	if p.trusted && p.lossless {
		return true
	}
	if c, ok := p.codec.(exactly); ok {
		return c.exact(v)
	}
	text, _ := p.codec.encode(nil, v)
	kept, ok := p.codec.decode(string(text))
	return ok && kept.Equal(v)
}

// Exact returns an error that wraps [ErrNotExact] if Parse would not return v for placeholder i
// exactly. Other errors are those of Append.
func (t *Template) Exact(i int, v Value) error {
	t = t.orZero()
	if i < 0 || i >= len(t.parts) {
		return t.miscounted(i+1, "at most ")
	}
	_, err := t.appendOperand(nil, i, v)
	return err
}

// Kept returns v with the precision that the format of placeholder i keeps, such as the day of a
// time or the lower case of a text. Errors are those of Append.
func (t *Template) Kept(i int, v Value) (Value, error) {
	t = t.orZero()
	if i < 0 || i >= len(t.parts) {
		return Value{}, t.miscounted(i+1, "at most ")
	}
	p := &t.parts[i]
	if _, fault := t.appendPart(nil, i, v); fault != nil {
		return Value{}, t.blame(i, fault)
	}
	if p.holds(v) {
		return v, nil
	}
	text, _ := p.codec.encode(nil, v)
	kept, ok := p.codec.decode(string(text))
	if !ok {
		return Value{}, t.blame(i, refuse(ErrNotExact, "the format cannot read what it writes", ""))
	}
	return kept, nil
}

// head returns the text before placeholder len(fixed). The fixed values must be exact.
func (t *Template) head(fixed []Value) (string, error) {
	if len(fixed) == 0 {
		return t.literals[0], nil
	}
	buf := scratch.Get().(*[]byte)
	defer scratch.Put(buf)
	out := append((*buf)[:0], t.literals[0]...)
	for i, v := range fixed {
		var err error
		if out, err = t.appendOperand(out, i, v); err != nil {
			return "", err
		}
		out = append(out, t.literals[i+1]...)
	}
	*buf = out
	if len(out) > t.limit {
		return "", t.tooLong(len(out))
	}
	return string(out), nil
}

// operand returns head followed by the segment of a value to compare with.
func (t *Template) operand(head string, i int, v Value) (string, error) {
	buf := scratch.Get().(*[]byte)
	out, err := t.appendOperand(append((*buf)[:0], head...), i, v)
	text := string(out)
	*buf = out
	scratch.Put(buf)
	switch {
	case err != nil:
		return "", err
	case len(text) > t.limit:
		return "", t.tooLong(len(text))
	}
	return text, nil
}

// appendOperand appends the segment of a value to compare with. The format must hold the value
// exactly.
func (t *Template) appendOperand(dst []byte, i int, v Value) ([]byte, error) {
	out, fault := t.appendPart(dst, i, v)
	if fault == nil || errors.Is(fault.Err, ErrOutOfRange) {
		fault = t.parts[i].inexact(v, fault)
	}
	if fault != nil {
		return dst, t.blame(i, fault)
	}
	return out, nil
}
