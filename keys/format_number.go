package keys

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/trestledb/trestle/internal/keyspace"
)

const maxPadding = 20 // digits of the largest uint64

// paddedCodec returns the codec of a format 01 to 020, or nil for another name.
func paddedCodec(kind Kind, name string) codec {
	if len(name) < 2 || len(name) > 3 || name[0] != '0' || name[1] < '1' {
		return nil
	}
	width, err := strconv.Atoi(name)
	if err != nil || width > maxPadding {
		return nil
	}
	return padded{kind, width}
}

// decimal writes an integer in decimal digits, which do not sort.
type decimal struct{ kind Kind }

func (c decimal) encode(dst []byte, v Value) ([]byte, *ValueError) {
	if c.kind == KindInt {
		return strconv.AppendInt(dst, int64(v.num), 10), nil
	}
	return strconv.AppendUint(dst, v.num, 10), nil
}

func (c decimal) decode(text string) (Value, bool) { return parseInteger(c.kind, text) }

func (decimal) properties() properties { return properties{lossless: true, minSize: 1} }

func (c decimal) pattern(keyspace.Encoding) string {
	const upTo18 = "[1-9][0-9]{0,17}|"
	if c.kind == KindUint {
		return "(?:0|" + upTo18 + keyspace.DigitRange("1000000000000000000", "9999999999999999999") + "|" +
			keyspace.DigitRange("10000000000000000000", "18446744073709551615") + ")"
	}
	return "(?:0|-?(?:" + upTo18 + keyspace.DigitRange("1000000000000000000", "9223372036854775807") + ")|-9223372036854775808)"
}

func parseInteger(kind Kind, digits string) (Value, bool) {
	if kind == KindInt {
		n, err := strconv.ParseInt(digits, 10, 64)
		return Int(n), err == nil
	}
	n, err := strconv.ParseUint(digits, 10, 64)
	return Uint(n), err == nil
}

// padded writes a non-negative integer with leading zeros.
type padded struct {
	kind  Kind
	width int
}

func (c padded) encode(dst []byte, v Value) ([]byte, *ValueError) {
	if c.kind == KindInt && int64(v.num) < 0 {
		return dst, newValueError(ErrOutOfRange, "a negative number does not sort when padded", "use the format ord")
	}
	var buf [maxPadding]byte
	digits := strconv.AppendUint(buf[:0], v.num, 10)
	if len(digits) > c.width {
		return dst, newValueError(ErrOutOfRange, fmt.Sprintf("the number has more than %s", counted(c.width, "digit")), c.properties().rounding)
	}
	for range c.width - len(digits) {
		dst = append(dst, '0')
	}
	return append(dst, digits...), nil
}

func (c padded) decode(text string) (Value, bool) { return parseInteger(c.kind, text) }

func (c padded) properties() properties {
	_, greatest := c.limits()
	return properties{ordered: true, lossless: true, minSize: c.width, complement: decimalComplement, rounding: fmt.Sprintf("the range is 0 to %d", greatest.num)}
}

func (c padded) pattern(keyspace.Encoding) string { return limitsPattern(c) }

func (c padded) limits() (least, greatest Value) {
	limit := uint64(math.MaxUint64)
	if c.kind == KindInt {
		limit = math.MaxInt64
	}
	if largest, err := strconv.ParseUint(strings.Repeat("9", c.width), 10, 64); err == nil {
		limit = min(limit, largest)
	}
	return scalar(c.kind, 0), scalar(c.kind, limit)
}

// limitsPattern matches the digits between a codec's limits.
func limitsPattern(c bounded) string {
	least, greatest := c.limits()
	return keyspace.DigitRange(encoded(c, least), encoded(c, greatest))
}

func (padded) step(v Value, dir int) Value { return stepInteger(v, dir) }

func stepInteger(v Value, dir int) Value {
	v.num += uint64(int64(dir))
	return v
}

// ordinal writes a number as 16 hex digits that sort as numbers do. It flips the sign bit, and all
// bits of a negative float.
type ordinal struct{ kind Kind }

const signBit = 1 << 63

func (c ordinal) encode(dst []byte, v Value) ([]byte, *ValueError) {
	bits := v.num
	switch {
	case c.kind == KindUint && bits > math.MaxInt64:
		return dst, newValueError(ErrOutOfRange, "the number is above the largest int64", c.properties().rounding)
	case c.kind == KindFloat && math.IsNaN(math.Float64frombits(bits)):
		return dst, newValueError(ErrInvalid, "NaN does not sort", "")
	case c.kind == KindFloat && bits == signBit: // −0
		bits = signBit
	case c.kind == KindFloat && bits&signBit != 0:
		bits = ^bits
	default:
		bits ^= signBit
	}
	const digits = "0123456789abcdef"
	for shift := 60; shift >= 0; shift -= 4 {
		dst = append(dst, digits[bits>>shift&15])
	}
	return dst, nil
}

func (c ordinal) decode(text string) (Value, bool) {
	bits, err := strconv.ParseUint(text, 16, 64)
	if c.kind == KindFloat && bits&signBit == 0 {
		bits = ^bits
	} else {
		bits ^= signBit
	}
	return scalar(c.kind, bits), err == nil
}

func (c ordinal) properties() properties {
	p := properties{ordered: true, lossless: true, minSize: 16, complement: hexComplement}
	if c.kind == KindUint {
		p.rounding = fmt.Sprintf("the range is 0 to %d", int64(math.MaxInt64))
	}
	return p
}

func (c ordinal) pattern(keyspace.Encoding) string {
	if c.kind != KindFloat {
		return limitsPattern(c)
	}
	const infinity, beforeZero = "fff0000000000000", "7ffffffffffffffe" // −0 is written as 0
	return "(?:" + keyspace.DigitRange("000fffffffffffff", beforeZero) + "|" + keyspace.DigitRange("8000000000000000", infinity) + ")"
}

func (c ordinal) limits() (least, greatest Value) {
	switch c.kind {
	case KindInt:
		return Int(math.MinInt64), Int(math.MaxInt64)
	case KindUint:
		return Uint(0), Uint(math.MaxInt64)
	}
	return Float(math.Inf(-1)), Float(math.Inf(1))
}

func (c ordinal) step(v Value, dir int) Value {
	if c.kind != KindFloat {
		return stepInteger(v, dir)
	}
	return Float(math.Nextafter(v.Float(), math.Inf(dir)))
}
