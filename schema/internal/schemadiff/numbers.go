package schemadiff

import (
	"math"

	"github.com/trestledb/trestle/schema/internal/schemadoc"
)

// numberRange is the set of numbers that a Go type can hold.
type numberRange struct {
	below, above int  // bits of the least and of the greatest number
	fraction     bool // fractions are possible
	exact        int  // bits of precision
}

// allDigits exceeds the number of bits of the 38 digits of an attribute.
const allDigits = 128

// numbers maps the kinds that read and write numbers to their ranges. A number in DynamoDB is below
// 1e126, which has 419 bits. Times are seconds since 1970, limited to 53 bits.
var numbers = map[string]numberRange{
	"int8": {7, 7, false, 7}, "int16": {15, 15, false, 15}, "int32": {31, 31, false, 31}, "int64": {63, 63, false, 63},
	"uint8": {0, 8, false, 8}, "uint16": {0, 16, false, 16}, "uint32": {0, 32, false, 32}, "uint64": {0, 64, false, 64},
	"float32": {128, 128, true, 24}, "float64": {1024, 1024, true, 53}, schemadoc.KindNumber: {419, 419, true, allDigits},
	schemadoc.KindTime: {53, 53, false, 53}, schemadoc.KindUnixTime: {53, 53, false, 53},
}

// isNumber reports whether a kind is a number, even if its tag stores it as S.
func isNumber(kind string) bool {
	_, ok := numbers[kind]
	return ok && kind != schemadoc.KindTime && kind != schemadoc.KindUnixTime
}

// written returns the numbers that a format can write.
func (n numberRange) written(format string) numberRange {
	width, padded := padding(format)
	most := n.above
	switch {
	case padded:
		n.below, most = 0, int(math.Ceil(float64(width)*math.Log2(10)))
	case format == "unix":
		n.below, most = 0, 38 // up to the year 9999
	case format == "ord" && !n.fraction:
		most = 63
	}
	n.above = min(n.above, most)
	if !n.fraction {
		n.exact = min(n.exact, max(n.below, n.above))
	}
	return n
}

// fromNumber returns the effect for values stored as N.
func fromNumber(was numberRange, is string) effect {
	switch is {
	case schemadoc.KindTime, schemadoc.KindUnixTime:
		if was.fraction || was.above > 63 {
			return effect{someUnreadable, "it is not a time in whole seconds"}
		}
		return effect{}
	}
	return convertNumber(was, is)
}

// convertNumber returns the effect of storing a number in another Go type.
func convertNumber(w numberRange, is string) effect {
	r := numbers[is]
	switch {
	case w.below > r.below || w.above > r.above || w.fraction && !r.fraction:
		return effect{someUnreadable, "it is not a valid " + is}
	case w.exact > r.exact:
		digits := "15"
		if r.exact < 53 { // a float32
			digits = "6"
		}
		return effect{rounded, digits}
	default:
		return effect{}
	}
}
