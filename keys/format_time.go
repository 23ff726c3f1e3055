package keys

import (
	"fmt"
	"strings"
	"time"

	"github.com/trestledb/trestle/internal/keyspace"
)

// resolution is the smallest unit of a time that a format writes.
type resolution struct {
	years, months, days int
	span                time.Duration
	rounding            string
}

const (
	toUnit  = "round it down or up to a whole "
	inUTC   = " in UTC"
	maxYear = 9999
)

var (
	byYear   = resolution{years: 1, rounding: toUnit + "year" + inUTC}
	byMonth  = resolution{months: 1, rounding: toUnit + "month" + inUTC}
	byDay    = resolution{days: 1, rounding: toUnit + "day" + inUTC}
	byHour   = resolution{span: time.Hour, rounding: toUnit + "hour" + inUTC}
	bySecond = resolution{span: time.Second, rounding: toUnit + "second"}
	byMilli  = resolution{span: time.Millisecond, rounding: toUnit + "millisecond"}
	byMicro  = resolution{span: time.Microsecond, rounding: toUnit + "microsecond"}
	byNano   = resolution{span: time.Nanosecond}
)

func (r resolution) step(v Value, dir int) Value {
	t := v.Time().AddDate(dir*r.years, dir*r.months, dir*r.days)
	return instantValue(t.Add(time.Duration(dir) * r.span))
}

const (
	yearPattern  = `[0-9]{4}`
	monthPattern = `(?:0[1-9]|1[0-2])`
	hourPattern  = `(?:[01][0-9]|2[0-3])`
	clockPattern = datePattern + `T` + hourPattern + `:[0-5][0-9]:[0-5][0-9]`

	leapYear    = `(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)`
	dayOfMonth  = `(?:(?:0[1-9]|1[0-2])-(?:0[1-9]|1[0-9]|2[0-8])|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31)`
	datePattern = `(?:` + yearPattern + `-` + dayOfMonth + `|` + leapYear + `-02-29)`
)

// timestamp writes a time in UTC as in RFC 3339, truncated to its resolution.
type timestamp struct {
	resolution
	digits int // digits of the fraction of a second
	layout string
	size   int    // bytes of every text
	text   string // pattern of the texts
}

// secondLayout is the layout of times with seconds, without the fraction and Z.
const secondLayout = "2006-01-02T15:04:05"

func newTimestamp(r resolution, layout, text string) timestamp {
	return timestamp{resolution: r, layout: layout, size: len(layout), text: text}
}

// fraction returns the codec for times with a fraction of a second.
func fraction(r resolution, digits int) timestamp {
	c := newTimestamp(r, secondLayout+"."+strings.Repeat("0", digits)+"Z", fmt.Sprintf(`%s\.[0-9]{%d}Z`, clockPattern, digits))
	c.digits = digits
	return c
}

func (c timestamp) encode(dst []byte, v Value) ([]byte, *ValueError) {
	dst, ok := c.append(dst, v.Time())
	if !ok {
		return dst, outsideYears()
	}
	return dst, nil
}

// append appends a time. It returns dst and false for a year that has no text.
func (c *timestamp) append(dst []byte, t time.Time) ([]byte, bool) {
	year, month, day := t.Date()
	if year < 0 || year > maxYear {
		return dst, false
	}
	dst = appendTwo(appendTwo(dst, year/100), year%100)
	if c.years > 0 {
		return dst, true
	}
	dst = appendTwo(append(dst, '-'), int(month))
	if c.months > 0 {
		return dst, true
	}
	dst = appendTwo(append(dst, '-'), day)
	if c.days > 0 {
		return dst, true
	}
	hour, minute, second := t.Clock()
	dst = appendTwo(append(dst, 'T'), hour)
	if c.span == time.Hour {
		return dst, true
	}
	dst = appendTwo(append(dst, ':'), minute)
	dst = appendTwo(append(dst, ':'), second)
	if c.digits > 0 {
		dst = appendDigits(append(dst, '.'), t.Nanosecond()/int(c.span), c.digits)
	}
	return append(dst, 'Z'), true
}

func outsideYears() *ValueError {
	return newValueError(ErrOutOfRange, "the year is outside 0000 to 9999", "")
}

// appendTwo appends n, which is below 100, in two digits.
func appendTwo(dst []byte, n int) []byte { return append(dst, '0'+byte(n/10), '0'+byte(n%10)) }

// appendDigits appends n with leading zeros.
func appendDigits(dst []byte, n, width int) []byte {
	for range width {
		dst = append(dst, '0')
	}
	for i := len(dst) - 1; n > 0; i-- {
		dst[i] = '0' + byte(n%10)
		n /= 10
	}
	return dst
}

// exact reports whether v is a multiple of the resolution.
func (c timestamp) exact(v Value) bool {
	t := v.Time()
	hour, minute, second := t.Clock()
	clock := time.Duration(hour)*time.Hour + time.Duration(minute)*time.Minute + time.Duration(second)*time.Second + time.Duration(t.Nanosecond())
	switch {
	case c.span > 0:
		return clock%c.span == 0
	case clock > 0, c.days == 0 && t.Day() > 1:
		return false
	}
	return c.years == 0 || t.Month() == time.January
}

func (c timestamp) decode(text string) (Value, bool) {
	t, err := time.Parse(c.layout, text)
	return instantValue(t), err == nil
}

func (c timestamp) properties() properties {
	return properties{ordered: true, lossless: c.span == time.Nanosecond, minSize: c.size, complement: decimalComplement, rounding: c.rounding}
}

func (c timestamp) pattern(keyspace.Encoding) string { return c.text }

func (c timestamp) limits() (least, greatest Value) { return yearLimits(c.resolution) }

// yearLimits returns the first and the last instant of a resolution within the years 0000 to 9999.
func yearLimits(r resolution) (least, greatest Value) {
	return instantValue(time.Date(0, 1, 1, 0, 0, 0, 0, time.UTC)), r.step(instantValue(afterYears), -1)
}

// seconds writes a time as the whole seconds since 1970.
type seconds struct{ digits codec }

func (c seconds) encode(dst []byte, v Value) ([]byte, *ValueError) {
	switch t := v.Time(); {
	case t.Year() > maxYear || t.Year() < 0:
		return dst, outsideYears()
	case t.Unix() < 0:
		return dst, newValueError(ErrOutOfRange, "the time is before 1970", "")
	default:
		return c.digits.encode(dst, Int(t.Unix()))
	}
}

func (seconds) exact(v Value) bool { return v.nsec == 0 }

func (c seconds) decode(text string) (Value, bool) {
	n, ok := c.digits.decode(text)
	return instantValue(time.Unix(n.Int(), 0)), ok
}

func (c seconds) properties() properties {
	p := c.digits.properties()
	p.ordered, p.lossless, p.rounding = true, false, bySecond.rounding
	return p
}

func (seconds) step(v Value, dir int) Value { return bySecond.step(v, dir) }

// unix is the codec of seconds in text.
type unix struct{ seconds }

func (c unix) pattern(keyspace.Encoding) string { return limitsPattern(c) }

func (unix) limits() (least, greatest Value) {
	_, last := yearLimits(bySecond)
	return instantValue(time.Unix(0, 0)), last
}
