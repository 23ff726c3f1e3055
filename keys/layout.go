package keys

import (
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/trestledb/trestle/internal/keyspace"
)

// Layout makes a format from a layout of package time, such as "2006-01-02T15:04:05". It writes
// times in UTC and drops the units that the layout leaves out. It returns a *[SyntaxError] if the
// texts of the layout do not sort as their times do, or differ in width. Changes to the fields of
// the returned Format have no effect.
func Layout(text string) (Format, error) {
	fail := func(reason, hint string) (Format, error) {
		return Format{}, &SyntaxError{Template: text, Text: text, Reason: reason, Hint: hint, layout: true}
	}
	instants := sampleTimes()
	first := instants[0].Format(text)
	l := layout{timestamp: timestamp{layout: text, size: len(first)}}
	if !l.findResolution() {
		return fail("the layout contains no part of a time", "")
	}
	l.columns = make([]string, utf8.RuneCountInString(first))
	var last string
	for i, t := range instants {
		written := t.Format(text)
		back, err := time.Parse(text, written)
		switch {
		case len(written) != l.size:
			return fail("texts of the layout differ in width", "use 2006, 01, 02, 15, 04, 05 and a fraction of zeros")
		case i > 0 && (written < last || complementsAscend(last, written)):
			return fail("texts of the layout do not sort as their times do", "write the year first, and smaller units in order")
		case err != nil || back.Format(text) != written:
			return fail("texts of the layout cannot be parsed", "")
		}
		l.addColumns(written)
		last = written
	}
	return Format{
		Kinds: []Kind{KindTime}, Ordered: true, Lossless: l.span == time.Nanosecond, Width: l.size, layout: &l,
		Encode: l.Encode, Decode: l.Decode,
	}, nil
}

// layout is the codec of a time layout.
type layout struct {
	timestamp
	columns []string // the characters that can occur in each column
}

// Encode is the Encode function of the Format, for callers without a template.
func (c layout) Encode(v Value) (string, error) {
	text, invalid := c.encode(nil, v)
	if invalid != nil {
		invalid.Template, invalid.layout = c.layout, true
		return "", invalid
	}
	return string(text), nil
}

// Decode is the Decode function of the Format, for callers without a template.
func (c layout) Decode(text string) (Value, error) {
	v, ok := c.decode(text)
	if !ok || v.Time().Format(c.layout) != text {
		return Value{}, &ValueError{Template: c.layout, Reason: "the text does not match the layout", Err: ErrMismatch, layout: true}
	}
	return v, nil
}

func (c layout) encode(dst []byte, v Value) ([]byte, *ValueError) {
	t := v.Time()
	if year := t.Year(); v.kind != KindTime || year < 0 || year > maxYear {
		return dst, outsideYears()
	}
	return t.AppendFormat(dst, c.layout), nil
}

func (c layout) pattern(e keyspace.Encoding) string {
	var pattern strings.Builder
	for _, column := range c.columns {
		pattern.WriteString(e.OneOf(column))
	}
	return pattern.String()
}

// findResolution sets the smallest unit that changes the text. It returns false if there is none.
func (c *layout) findResolution() bool {
	var units []resolution
	for span := time.Nanosecond; span < time.Second; span *= 10 {
		units = append(units, resolution{span: span, rounding: toUnit + "fraction of a second that the layout writes"})
	}
	minutes := resolution{span: time.Minute, rounding: toUnit + "minute"}
	start := instantValue(time.Date(2001, 1, 1, 0, 0, 0, 0, time.UTC))
	written := start.Time().Format(c.layout)
	for _, r := range append(units, bySecond, minutes, byHour, byDay, byMonth, byYear) {
		if c.resolution = r; r.step(start, 1).Time().Format(c.layout) != written {
			return true
		}
	}
	return false
}

// complementsAscend reports whether the complements of two texts are in ascending order. The text a
// does not sort after b.
func complementsAscend(a, b string) bool {
	complements := func(text string) string { return strings.Map(decimalComplement.of, text) }
	return a != b && complements(a) < complements(b)
}

// addColumns records the characters of a text by column.
func (c *layout) addColumns(text string) {
	column := 0
	for _, r := range text {
		if !strings.ContainsRune(c.columns[column], r) {
			c.columns[column] += string(r)
		}
		column++
	}
}

// sampleTimes returns instants on both sides of every boundary at which a unit of time rolls over,
// in order. A layout is a sequence of parts that each depend on one unit. Texts that sort correctly
// for these instants therefore sort correctly for all.
func sampleTimes() []time.Time {
	var instants []time.Time
	boundary := func(t time.Time) { instants = append(instants, t.Add(-1), t) }
	date := func(year, month, day int) time.Time {
		return time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC)
	}
	first, last := date(0, 1, 1), date(maxYear+1, 1, 1).Add(-1)
	instants = append(instants, first, last)
	for _, year := range []int{1, 10, 99, 100, 101, 1000, 1969, 1970, 2000} {
		boundary(date(year, 1, 1))
	}
	for digit := 1; digit <= 9; digit++ { // the columns need every digit; the last year is 9999
		boundary(date(1111*digit, 1, 1))
	}
	for day := range 366 {
		boundary(date(2024, 1, 1+day))
	}
	start := date(2023, 6, 15)
	units := map[time.Duration]int{time.Hour: 24, time.Minute: 60, time.Second: 60}
	for unit := time.Nanosecond; unit < time.Second; unit *= 10 {
		units[unit] = 9
	}
	for unit, count := range units {
		for i := 1; i <= count; i++ {
			boundary(start.Add(time.Duration(i) * unit))
		}
	}
	slices.SortFunc(instants, time.Time.Compare)
	return instants
}
