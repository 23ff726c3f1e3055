package codec

import (
	"math"
	"strconv"
)

// encodeDigits encodes a number's text as N, or as S with the string option.
func (e *encoder) encodeDigits(s string, o *Options) AV {
	if o.AsString {
		return e.text(s)
	}
	return e.number(s)
}

// The range of magnitudes that DynamoDB stores.
const (
	minMagnitude = 1e-130
	maxMagnitude = 1e126 // exclusive
)

func (e *encoder) encodeFloat(n *Node, f float64, o *Options) (AV, error) {
	abs := math.Abs(f)
	switch {
	case o.AsString || f == 0:
	case math.IsNaN(f), math.IsInf(f, 0):
		return nil, n.newError("", "DynamoDB has no NaN and no infinities", ErrNotNumber)
	case abs < minMagnitude, abs >= maxMagnitude:
		return nil, n.newError("", "the number is out of range", ErrNumber)
	}
	return e.encodeDigits(strconv.FormatFloat(f, 'f', -1, int(n.Bits)), o), nil
}

// encodeLiteral encodes a string that holds a number.
func (e *encoder) encodeLiteral(n *Node, s string, o *Options) (AV, error) {
	if o.AsString {
		return e.text(s), n.checkText(s)
	}
	if err := n.checkNumber(s); err != nil {
		return nil, err
	}
	return e.number(s), nil
}
