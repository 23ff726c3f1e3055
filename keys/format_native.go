package keys

import (
	"math"
	"strconv"

	"github.com/trestledb/trestle/internal/keyspace"
)

// numberAttribute is the codec of an N attribute: a decimal number.
type numberAttribute struct{ kind Kind }

// The smallest and the greatest magnitude of a DynamoDB number.
const (
	leastMagnitude    = 1e-130
	greatestMagnitude = 9.9999999999999999999999999999999999999e125
)

func (c numberAttribute) encode(dst []byte, v Value) ([]byte, *ValueError) {
	if c.kind != KindFloat {
		return decimal(c).encode(dst, v)
	}
	f := v.Float()
	size := math.Abs(f)
	switch {
	case math.IsNaN(f) || math.IsInf(f, 0):
		return dst, newValueError(ErrInvalid, "NaN and infinities are not DynamoDB numbers", "")
	case size > greatestMagnitude || size != 0 && size < leastMagnitude:
		return dst, newValueError(ErrOutOfRange, "the number is outside DynamoDB's range, 1e-130 to 9.9e125", "")
	case size == 0:
		return append(dst, '0'), nil
	case size < 1e-6 || size >= 1e21:
		return strconv.AppendFloat(dst, f, 'e', -1, 64), nil
	}
	return strconv.AppendFloat(dst, f, 'f', -1, 64), nil
}

// decode accepts any decimal, because DynamoDB writes numbers in its own notation.
func (c numberAttribute) decode(text string) (Value, bool) {
	if c.kind != KindFloat {
		return parseInteger(c.kind, text)
	}
	if !keyspace.IsNumber(text) {
		return Value{}, false
	}
	f, err := strconv.ParseFloat(text, 64)
	return Float(f), err == nil
}

func (numberAttribute) properties() properties {
	return properties{ordered: true, lossless: true, minSize: 1}
}

// step skips the numbers between zero and the least magnitude, which an attribute cannot hold.
func (c numberAttribute) step(v Value, dir int) Value {
	if c.kind != KindFloat {
		return stepInteger(v, dir)
	}
	if v.Float() == 0 {
		return Float(math.Copysign(leastMagnitude, float64(dir)))
	}
	next := math.Nextafter(v.Float(), math.Inf(dir))
	if math.Abs(next) < leastMagnitude {
		next = 0
	}
	return Float(next)
}

// pattern is one number that every N attribute can hold. Any two N attributes can therefore share
// a key.
func (numberAttribute) pattern(keyspace.Encoding) string { return "1" }

// unixAttribute is the codec of a time on an N attribute. It has no limits, because any two N
// attributes can share a key.
type unixAttribute struct{ seconds }

var secondsAttribute = unixAttribute{seconds{decimal{KindInt}}}

func (c unixAttribute) properties() properties {
	p := c.seconds.properties()
	p.least = "0"
	return p
}

func (unixAttribute) pattern(keyspace.Encoding) string { return "1" }
