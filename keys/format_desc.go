package keys

import "unicode/utf8"

// descending reverses the order of a format by replacing digits with their complements.
type descending struct {
	stepper
	hex bool // 16 digits instead of 10
}

// reverse returns the descending form of c, or nil if there is none.
func reverse(c codec) codec {
	switch c := c.(type) {
	case padded, timestamp, unix, layout:
		return descending{c.(stepper), false}
	case ordinal:
		return descending{c, true}
	}
	return nil
}

func (d descending) encode(dst []byte, v Value) ([]byte, *ValueError) {
	start := len(dst)
	dst, fault := d.stepper.encode(dst, v)
	if fault != nil {
		return dst, fault
	}
	for i := start; i < len(dst); i++ {
		dst[i] = d.complement(dst[i])
	}
	return dst, nil
}

func (d descending) exact(v Value) bool {
	p := part{codec: d.stepper}
	return p.holds(v)
}

func (d descending) decode(text string) (Value, bool) {
	digits := []byte(text)
	for i, b := range digits {
		digits[i] = d.complement(b)
	}
	return d.stepper.decode(string(digits))
}

// complement is its own inverse. It does not change a byte that is not a digit.
func (d descending) complement(b byte) byte {
	switch {
	case !d.hex && '0' <= b && b <= '9':
		return '0' + '9' - b
	case d.hex && '0' <= b && b <= '5':
		return 'f' - (b - '0')
	case d.hex && '6' <= b && b <= '9':
		return '9' - (b - '6')
	case d.hex && 'a' <= b && b <= 'f':
		return '5' - (b - 'a')
	}
	return b
}

// The limits and step methods are those of the values. Their texts sort in the opposite order.

func (d descending) language(s script) string {
	return mapPattern(d.stepper.language(s), d.complementRune)
}

func (d descending) complementRune(r rune) rune {
	if r >= utf8.RuneSelf {
		return r
	}
	return rune(d.complement(byte(r)))
}
