package schemadoc_test

import (
	"encoding/hex"
	"fmt"
	"math"
	"net/netip"
	"strconv"
	"strings"
	"time"
)

// keyText is a model of the text of a value in a key, in a format and before escaping. It does not
// use the code under test.
func keyText(v any, format string) string {
	format, desc := strings.CutSuffix(format, ",desc")
	text := ""
	switch v := v.(type) {
	case string:
		text = map[string]func(string) string{"": strings.Clone, "lower": strings.ToLower, "upper": strings.ToUpper}[format](v)
	case label:
		text = keyText(string(v), format)
	case netip.Addr:
		text = v.String()
	case bool:
		text = map[bool]string{false: "0", true: "1"}[v]
	case int64:
		text = keyNumber(v, uint64(v)^1<<63, format)
	case int16:
		text = keyText(int64(v), format)
	case uint64:
		text = keyNumber(v, v^1<<63, format)
	case float64:
		// the bits of a non-negative float
		text = keyNumber(v, math.Float64bits(v)^1<<63, format)
	case time.Time:
		text = keyTime(v, format)
	case []byte:
		if text = string(v); format == "hex" {
			text = hex.EncodeToString(v)
		}
	}
	if desc {
		return complement(text, format == "ord")
	}
	return text
}

// keyNumber returns the text of a number. order contains bits that sort like the number.
func keyNumber(n any, order uint64, format string) string {
	switch width, padded := strings.CutPrefix(format, "0"); {
	case format == "ord":
		return fmt.Sprintf("%016x", order)
	case padded:
		digits, _ := strconv.Atoi(width)
		return fmt.Sprintf("%0*d", digits, n)
	}
	return fmt.Sprint(n)
}

func keyTime(t time.Time, format string) string {
	if format == "unix" {
		return fmt.Sprintf("%012d", t.Unix())
	}
	return t.Format(map[string]string{
		"compact": "20060102T150405", "ns": "2006-01-02T15:04:05.000000000Z", "us": "2006-01-02T15:04:05.000000Z", "ms": "2006-01-02T15:04:05.000Z",
		"s": "2006-01-02T15:04:05Z", "hour": "2006-01-02T15", "day": "2006-01-02", "month": "2006-01", "year": "2006",
	}[format])
}

// complement replaces each decimal or hexadecimal digit by its complement, which reverses the
// order.
func complement(text string, sixteen bool) string {
	digits := "0123456789"
	if sixteen {
		digits += "abcdef"
	}
	return strings.Map(func(r rune) rune {
		if i := strings.IndexRune(digits, r); i >= 0 {
			return rune(digits[len(digits)-1-i])
		}
		return r
	}, text)
}

// keyTextsOf returns the texts of a sample in keys, by placeholder.
func keyTextsOf(s *sample) keyTexts {
	texts := keyTexts{}
	for _, c := range columns {
		v := c.value(s).Interface()
		texts[c.name] = keyText(v, "")
		for _, format := range c.formats {
			if format != "" {
				texts[c.name+":"+format] = keyText(v, format)
			}
		}
	}
	return texts
}
