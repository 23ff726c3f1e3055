package page

import (
	"strings"
	"unicode/utf8"

	"github.com/trestledb/trestle/ddbtest/internal/decimal"
	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// neighbor returns a value of a key attribute that is close to another one, before or after it, or
// nil.
func neighbor(v value.Value, before bool) value.Value {
	switch v := v.(type) {
	case value.Number:
		if n, ok := v.Neighbor(before); ok {
			return value.Number{Decimal: n}
		}
	case value.Binary:
		if text := textNextTo(string(v), before, 1, "\xff"); text != "" {
			return value.Binary(text)
		}
	case value.String:
		_, size := utf8.DecodeLastRuneInString(string(v))
		if text := textNextTo(string(v), before, size, "\U0010FFFF"); text != "" {
			return value.String(text)
		}
	}
	return nil
}

// textNextTo returns a text close to another one, or "". The other one ends with a unit of some
// bytes, a byte or a character; last is the last one of all units.
func textNextTo(text string, before bool, size int, last string) string {
	if !before {
		return text + "\x00"
	}
	rest, end := text[:len(text)-size], text[len(text)-size:]
	if end == "\x00" {
		return rest
	}
	lower := string([]byte{end[0] - 1})
	if size > 1 {
		r, _ := utf8.DecodeRuneInString(end)
		if r--; !utf8.ValidRune(r) {
			r = 0xD7FF
		}
		lower = string(r)
	}
	return rest + lower + strings.Repeat(last, closeBy)
}

// closeBy is the number of units that a text has beyond the one that it is close to.
const closeBy = 8

// extremeValue returns the lowest or the highest value of a key attribute.
func extremeValue(kind value.Kind, highest bool) value.Value {
	switch kind {
	case value.KindNumber:
		text := "9.9999999999999999999999999999999999999E+125"
		if !highest {
			text = "-" + text
		}
		n, _ := decimal.Parse(text)
		return value.Number{Decimal: n}
	case value.KindBinary:
		if highest {
			return value.Binary(strings.Repeat("\xff", 1024))
		}
		return value.Binary("\x00")
	default:
		if highest {
			return value.String(strings.Repeat("\U0010FFFF", 256))
		}
		return value.String("\x00")
	}
}
