package keys

import (
	"errors"
	"slices"
)

// exactly reports what the format of placeholder i would change in an operand.
func (t *Template) exactly(i int, v Value) *ValueError {
	p := &t.parts[i]
	text, fault := p.codec.encode(nil, v)
	if fault != nil {
		below := fault.Err
		fault.Err, fault.cause = ErrNotExact, &below
		return fault
	}
	if kept, ok := p.codec.decode(string(text)); !ok || !kept.Equal(v) {
		return refuse(ErrNotExact, "the format cannot hold the operand", p.rounding)
	}
	return nil
}

// head is the text before placeholder len(fixed), whose values up to there are exact.
func (t *Template) head(fixed []Value) (string, error) {
	out := []byte(t.literals[0])
	for i, v := range fixed {
		text, err := t.operand(i, v)
		if err != nil {
			return "", err
		}
		out = slices.Concat(out, []byte(text), []byte(t.literals[i+1]))
	}
	if len(out) > t.limit {
		return "", t.tooLong(len(out))
	}
	return string(out), nil
}

// operand is the segment of a value to compare with, which the format must hold exactly.
func (t *Template) operand(i int, v Value) (string, error) {
	text, fault := t.appendPart(nil, i, v)
	if fault == nil || errors.Is(fault.Err, ErrOutOfRange) {
		if inexact := t.exactly(i, v); inexact != nil {
			fault = inexact
		}
	}
	if fault != nil {
		return "", t.blame(i, fault)
	}
	return string(text), nil
}
