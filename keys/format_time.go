package keys

import (
	"strconv"
	"time"
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

func timeCodec(format string) codec {
	switch format {
	case "year":
		return timestamp{resolution: byYear, layout: "2006", pattern: yearPattern}
	case "month":
		return timestamp{resolution: byMonth, layout: "2006-01", pattern: yearPattern + "-" + monthPattern}
	case "day":
		return timestamp{resolution: byDay, layout: time.DateOnly, pattern: datePattern}
	case "hour":
		return timestamp{resolution: byHour, layout: "2006-01-02T15", pattern: datePattern + "T" + hourPattern}
	case "s":
		return timestamp{resolution: bySecond, layout: "2006-01-02T15:04:05Z", pattern: clockPattern + "Z"}
	case "ms":
		return timestamp{resolution: byMilli, digits: 3, layout: "2006-01-02T15:04:05.000Z", pattern: clockPattern + `\.[0-9]{3}Z`}
	case "us":
		return timestamp{resolution: byMicro, digits: 6, layout: "2006-01-02T15:04:05.000000Z", pattern: clockPattern + `\.[0-9]{6}Z`}
	case "ns":
		return timestamp{resolution: byNano, digits: 9, layout: "2006-01-02T15:04:05.000000000Z", pattern: clockPattern + `\.[0-9]{9}Z`}
	case "unix":
		return unix{}
	}
	return nil
}

// timestamp writes a time in UTC as in RFC 3339, truncated to its resolution.
type timestamp struct {
	resolution
	digits  int // digits of the fraction of a second
	layout  string
	pattern string
}

func (c timestamp) encode(dst []byte, v Value) ([]byte, *ValueError) {
	t := v.Time()
	year, month, day := t.Date()
	if year < 0 || year > maxYear {
		return dst, outsideYears()
	}
	dst = appendDigits(dst, year, 4)
	if c.years > 0 {
		return dst, nil
	}
	dst = appendDigits(append(dst, '-'), int(month), 2)
	if c.months > 0 {
		return dst, nil
	}
	dst = appendDigits(append(dst, '-'), day, 2)
	if c.days > 0 {
		return dst, nil
	}
	hour, minute, second := t.Clock()
	dst = appendDigits(append(dst, 'T'), hour, 2)
	if c.span == time.Hour {
		return dst, nil
	}
	dst = appendDigits(append(dst, ':'), minute, 2)
	dst = appendDigits(append(dst, ':'), second, 2)
	if c.digits > 0 {
		dst = appendDigits(append(dst, '.'), t.Nanosecond()/int(c.span), c.digits)
	}
	return append(dst, 'Z'), nil
}

func outsideYears() *ValueError {
	return refuse(ErrOutOfRange, "the year is outside 0000 to 9999", "")
}

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

func (c timestamp) traits() traits {
	return traits{ordered: true, lossless: c.digits == 9, width: len(c.layout), rounding: c.rounding}
}

func (c timestamp) language(script) string { return c.pattern }

func (c timestamp) limits() (least, greatest Value) { return yearLimits(c.resolution) }

// yearLimits returns the first and the last instant of a resolution within the years 0000 to 9999.
func yearLimits(r resolution) (least, greatest Value) {
	after := instantValue(time.Date(maxYear+1, 1, 1, 0, 0, 0, 0, time.UTC))
	return instantValue(time.Date(0, 1, 1, 0, 0, 0, 0, time.UTC)), r.step(after, -1)
}

// unix writes a time as 12 digits of seconds since 1970.
type unix struct{}

const unixWidth = 12

func (unix) encode(dst []byte, v Value) ([]byte, *ValueError) {
	seconds, fault := unixSeconds(v.Time())
	if fault != nil {
		return dst, fault
	}
	return appendDigits(dst, int(seconds), unixWidth), nil
}

func unixSeconds(t time.Time) (int64, *ValueError) {
	switch seconds := t.Unix(); {
	case t.Year() > maxYear || t.Year() < 0:
		return 0, outsideYears()
	case seconds < 0:
		return 0, refuse(ErrOutOfRange, "the time is before 1970", "")
	default:
		return seconds, nil
	}
}

func (unix) exact(v Value) bool { return v.Time().Nanosecond() == 0 }

func (unix) decode(text string) (Value, bool) {
	n, err := strconv.ParseUint(text, 10, 62)
	return instantValue(time.Unix(int64(n), 0)), err == nil
}

func (unix) traits() traits {
	return traits{ordered: true, width: unixWidth, rounding: bySecond.rounding}
}

func (c unix) language(script) string { return stepperRange(c) }

func (unix) limits() (least, greatest Value) {
	_, last := yearLimits(bySecond)
	return instantValue(time.Unix(0, 0)), last
}

func (unix) step(v Value, dir int) Value { return bySecond.step(v, dir) }
