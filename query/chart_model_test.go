package query_test

import (
	"encoding/hex"
	"fmt"
	"math"
	"net/netip"
	"strconv"
	"strings"
	"time"
)

// written is a model of the text of a value in a key, in a format and before escaping. It does not
// use the code under test.
func written(v any, format string) string {
	format, desc := strings.CutSuffix(format, ",desc")
	text := ""
	switch v := v.(type) {
	case string:
		text = map[string]func(string) string{"": strings.Clone, "lower": strings.ToLower, "upper": strings.ToUpper}[format](v)
	case label:
		text = written(string(v), format)
	case netip.Addr:
		text = v.String()
	case bool:
		text = strconv.Itoa(boolToInt(v))
	case int64:
		text = writtenNumber(v, uint64(v)^1<<63, format)
	case int16:
		text = written(int64(v), format)
	case uint64:
		text = writtenNumber(v, v^1<<63, format)
	case float64:
		// the bits of a non-negative float
		text = writtenNumber(v, math.Float64bits(v)^1<<63, format)
	case time.Time:
		text = writtenTime(v, format)
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

// writtenNumber returns the text of a number. order contains bits that sort like the number.
func writtenNumber(n any, order uint64, format string) string {
	switch width, padded := strings.CutPrefix(format, "0"); {
	case format == "ord":
		return fmt.Sprintf("%016x", order)
	case padded:
		digits, _ := strconv.Atoi(width)
		return fmt.Sprintf("%0*d", digits, n)
	}
	return fmt.Sprint(n)
}

func writtenTime(t time.Time, format string) string {
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

// writtenTexts returns the texts of a sample in keys, by placeholder.
func writtenTexts(s *sample) texts {
	x := texts{}
	for _, c := range append([]*column{tenant}, columns...) {
		x[c.name] = written(c.get(s), "")
		for _, f := range c.forms {
			if f.format != "" {
				x[c.name+":"+f.format] = written(c.get(s), f.format)
			}
		}
	}
	return x
}
