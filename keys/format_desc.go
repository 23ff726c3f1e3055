package keys

import (
	"unicode/utf8"

	"github.com/trestledb/trestle/internal/keyspace"
)

// complement maps each digit to its complement and each other byte to itself.
type complement [256]byte

var (
	decimalComplement = newComplement("0123456789")
	hexComplement     = newComplement("0123456789abcdef")
)

func newComplement(digits string) *complement {
	var c complement
	for i := range c {
		c[i] = byte(i)
	}
	for i := range len(digits) {
		c[digits[i]] = digits[len(digits)-1-i]
	}
	return &c
}

// of returns the complement of a rune.
func (c *complement) of(r rune) rune {
	if r >= utf8.RuneSelf {
		return r
	}
	return rune(c[r])
}

// descending reverses the order of a format by replacing digits with their complements.
type descending struct {
	bounded
	*complement
}

// reverse returns the descending form of c, or nil if there is none.
func reverse(c codec) codec {
	if b, ok := c.(bounded); ok && c.properties().complement != nil {
		return descending{b, c.properties().complement}
	}
	return nil
}

func (d descending) encode(dst []byte, v Value) ([]byte, *ValueError) {
	start := len(dst)
	dst, invalid := d.bounded.encode(dst, v)
	if invalid != nil {
		return dst, invalid
	}
	for i := start; i < len(dst); i++ {
		dst[i] = d.complement[dst[i]]
	}
	return dst, nil
}

func (d descending) exact(v Value) bool {
	p := placeholder{codec: d.bounded}
	return p.isExact(v)
}

func (d descending) decode(text string) (Value, bool) {
	digits := []byte(text)
	for i, b := range digits {
		digits[i] = d.complement[b]
	}
	return d.bounded.decode(string(digits))
}

// The limits and step methods are those of the values. Their texts sort in the opposite order.

func (d descending) pattern(e keyspace.Encoding) string {
	return keyspace.MapPattern(d.bounded.pattern(e), d.of)
}
