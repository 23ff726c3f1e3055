package query_test

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"net/netip"
	"strings"
	"time"
	"unicode/utf8"
)

// form is a key format with a model of what it keeps of a value. The model uses typed values, never
// texts, and none of the code under test.
type form struct {
	format   string                          // as in templates
	keep     func(v any) (kept any, ok bool) // false: the format cannot hold the value
	ordered  bool
	prefixes bool
}

func (f form) desc() bool { return strings.HasSuffix(f.format, ",desc") }

// sort compares two kept values in the order of the form's keys.
func (f form) sort(a, b any) int {
	switch {
	case f.format == "raw":
		return strings.Compare(fmt.Sprint(a), fmt.Sprint(b))
	case f.desc():
		return compareTyped(b, a)
	}
	return compareTyped(a, b)
}

func downwards(forms ...form) []form {
	for _, f := range forms {
		f.format += ",desc"
		forms = append(forms, f)
	}
	return forms
}

var (
	textForms = []form{
		{keep: keepText(func(s string) string { return s }), ordered: true, prefixes: true},
		{format: "lower", keep: keepText(strings.ToLower), ordered: true, prefixes: true},
		{format: "upper", keep: keepText(strings.ToUpper), ordered: true, prefixes: true},
	}
	intForms = append([]form{{format: "raw", keep: keepAll}},
		downwards(form{format: "03", keep: keepDigits(999), ordered: true}, form{format: "08", keep: keepDigits(99_999_999), ordered: true},
			form{format: "ord", keep: keepAll, ordered: true})...)
	uintForms = append([]form{{format: "raw", keep: keepAll}},
		downwards(form{format: "08", keep: keepDigits(99_999_999), ordered: true}, form{format: "020", keep: keepAll, ordered: true},
			form{format: "ord", keep: keepDigits(math.MaxInt64), ordered: true})...)
	timeForms = append([]form{{format: "compact", keep: keepTime(time.Second), ordered: true}}, downwards(
		form{format: "ns", keep: keepTime(1), ordered: true},
		form{format: "us", keep: keepTime(time.Microsecond), ordered: true},
		form{format: "ms", keep: keepTime(time.Millisecond), ordered: true},
		form{format: "s", keep: keepTime(time.Second), ordered: true},
		form{format: "hour", keep: keepTime(time.Hour), ordered: true},
		form{format: "day", keep: keepDate(func(t time.Time) time.Time { return date(t.Year(), t.Month(), t.Day()) }), ordered: true},
		form{format: "month", keep: keepDate(func(t time.Time) time.Time { return date(t.Year(), t.Month(), 1) }), ordered: true},
		form{format: "year", keep: keepDate(func(t time.Time) time.Time { return date(t.Year(), time.January, 1) }), ordered: true},
		form{format: "unix", keep: func(v any) (any, bool) {
			t, ok := v.(time.Time)
			return t.Truncate(time.Second), ok && t.Unix() >= 0 && t.Unix() < 1e12
		}, ordered: true},
	)...)
)

func date(year int, month time.Month, day int) time.Time {
	return time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
}

func keepAll(v any) (any, bool) { return v, true }

func keepText(fold func(string) string) func(any) (any, bool) {
	return func(v any) (any, bool) {
		text := textOf(v)
		folded := fold(text)
		ok := text != "" && utf8.ValidString(text)
		if _, is := v.(label); is {
			return label(folded), ok
		}
		return folded, ok
	}
}

func keepAddr(v any) (any, bool) {
	a, _ := v.(netip.Addr)
	return a, a.IsValid()
}

func keepBytes(v any) (any, bool) {
	b, _ := v.([]byte)
	return b, len(b) > 0
}

func keepFloat(v any) (any, bool) {
	f, _ := v.(float64)
	return f, !math.IsNaN(f)
}

// keepDigits keeps the numbers from 0 to a limit.
func keepDigits(limit uint64) func(any) (any, bool) {
	return func(v any) (any, bool) {
		switch n := v.(type) {
		case int64:
			return v, n >= 0 && uint64(n) <= limit
		case int16:
			return v, n >= 0 && uint64(n) <= limit
		case uint64:
			return v, n <= limit
		}
		return v, false
	}
}

func keepTime(unit time.Duration) func(any) (any, bool) {
	return keepDate(func(t time.Time) time.Time { return t.Truncate(unit) })
}

func keepDate(round func(time.Time) time.Time) func(any) (any, bool) {
	return func(v any) (any, bool) {
		t, _ := v.(time.Time)
		t = t.UTC()
		return round(t), !t.IsZero() && t.Year() <= 9999
	}
}

// textOf returns the text of a text value.
func textOf(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case label:
		return string(v)
	case netip.Addr:
		text, _ := v.MarshalText()
		return string(text)
	case []byte:
		return string(v)
	}
	return ""
}

// compareTyped compares two values of one type.
func compareTyped(a, b any) int {
	switch a := a.(type) {
	case int64:
		return cmp.Compare(a, b.(int64))
	case int16:
		return cmp.Compare(a, b.(int16))
	case uint64:
		return cmp.Compare(a, b.(uint64))
	case float64:
		return cmp.Compare(a, b.(float64))
	case time.Time:
		return a.Compare(b.(time.Time))
	case bool:
		return boolToInt(a) - boolToInt(b.(bool))
	case []byte:
		return bytes.Compare(a, b.([]byte))
	}
	return strings.Compare(textOf(a), textOf(b))
}

func boolToInt(b bool) int {
	if b {
		return 1
	}
	return 0
}
