package keys

import (
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// Layout makes a format from a layout of package time, such as "2006-01-02T15:04:05". It writes
// times in UTC and drops the units that the layout leaves out. It returns a *[SyntaxError] if the
// texts of the layout do not sort as their times do, or differ in width. Changes to the fields of
// the returned Format have no effect.
func Layout(text string) (Format, error) {
	refused := func(reason, hint string) (Format, error) {
		return Format{}, &SyntaxError{Template: text, Text: text, Reason: reason, Hint: hint, layout: true}
	}
	l := layout{text: text}
	instants := probes()
	l.least = instants[0].Format(text)
	if !l.findResolution() {
		return refused("the layout writes no part of a time", "")
	}
	l.columns = make([]string, utf8.RuneCountInString(l.least))
	var last string
	for i, t := range instants {
		written := t.Format(text)
		back, err := time.Parse(text, written)
		switch {
		case len(written) != len(l.least):
			return refused("texts of the layout differ in width", "use 2006, 01, 02, 15, 04, 05 and a fraction of zeros")
		case i > 0 && (written < last || ascending(last, written)):
			return refused("texts of the layout do not sort as their times do", "write years first, then every finer part in turn")
		case err != nil || back.Format(text) != written:
			return refused("texts of the layout cannot be read back", "")
		}
		l.note(written)
		last = written
	}
	return Format{
		Kinds: []Kind{KindTime}, Ordered: true, Lossless: l.resolution == byNano, Width: len(l.least), layout: &l,
		Encode: l.Encode, Decode: l.Decode,
	}, nil
}

// layout is the codec of a time layout.
type layout struct {
	resolution
	text    string
	least   string
	columns []string // the characters that can occur in each column
}

// Encode is the Encode function of the Format, for callers without a template.
func (c layout) Encode(v Value) (string, error) {
	text, fault := c.encode(nil, v)
	if fault != nil {
		fault.Template, fault.layout = c.text, true
		return "", fault
	}
	return string(text), nil
}

// Decode is the Decode function of the Format, for callers without a template.
func (c layout) Decode(text string) (Value, error) {
	t, err := time.Parse(c.text, text)
	if err != nil || t.Format(c.text) != text {
		return Value{}, &ValueError{Template: c.text, Reason: "the text is not of the layout", Err: ErrForeign, layout: true}
	}
	return instantValue(t), nil
}

func (c layout) encode(dst []byte, v Value) ([]byte, *ValueError) {
	t := v.Time()
	if year := t.Year(); v.kind != KindTime || year < 0 || year > maxYear {
		return dst, outsideYears()
	}
	return t.AppendFormat(dst, c.text), nil
}

func (c layout) decode(text string) (Value, bool) {
	t, err := time.Parse(c.text, text)
	return instantValue(t), err == nil
}

func (c layout) traits() traits {
	return traits{ordered: true, lossless: c.span == time.Nanosecond, width: len(c.least), rounding: c.rounding}
}

func (c layout) language(s script) string {
	var pattern strings.Builder
	for _, column := range c.columns {
		pattern.WriteString(s.oneOf(column))
	}
	return pattern.String()
}

func (c layout) limits() (least, greatest Value) { return yearLimits(c.resolution) }

// findResolution sets the smallest unit that changes the text. It returns false if there is none.
func (c *layout) findResolution() bool {
	start := time.Date(2001, 1, 1, 0, 0, 0, 0, time.UTC)
	for span := time.Nanosecond; span < time.Second; span *= 10 {
		r := resolution{span: span, rounding: toUnit + "fraction of a second that the layout writes"}
		if c.shows(start, r) {
			if c.resolution = r; span == time.Nanosecond {
				c.resolution = byNano
			}
			return true
		}
	}
	minutes := resolution{span: time.Minute, rounding: toUnit + "minute"}
	for _, r := range []resolution{bySecond, minutes, byHour, byDay, byMonth, byYear} {
		if c.resolution = r; c.shows(start, r) {
			return true
		}
	}
	return false
}

func (c *layout) shows(t time.Time, r resolution) bool {
	return t.Format(c.text) != r.step(instantValue(t), 1).Time().Format(c.text)
}

// ascending reports whether the complements of two texts are in ascending order. The text a does
// not sort after b.
func ascending(a, b string) bool {
	var d descending
	flip := func(text string) string {
		return strings.Map(d.complementRune, text)
	}
	return a != b && flip(a) < flip(b)
}

// note records the characters of a text by column.
func (c *layout) note(text string) {
	place := 0
	for _, r := range text {
		if !strings.ContainsRune(c.columns[place], r) {
			c.columns[place] += string(r)
		}
		place++
	}
}

// probes returns instants on both sides of every boundary at which a unit of time rolls over, in
// order. A layout is a sequence of parts that each depend on one unit. Texts that sort correctly
// for these instants therefore sort correctly for all.
func probes() []time.Time {
	var instants []time.Time
	boundary := func(t time.Time) { instants = append(instants, t.Add(-1), t) }
	date := func(year, month, day int) time.Time {
		return time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC)
	}
	first, last := date(0, 1, 1), date(maxYear+1, 1, 1).Add(-1)
	instants = append(instants, first, last)
	for _, year := range []int{1, 10, 99, 100, 101, 1000, 1969, 1970, 2000, maxYear} {
		boundary(date(year, 1, 1))
	}
	for day := range 366 {
		boundary(date(2024, 1, 1+day))
	}
	start := date(2023, 6, 15)
	for unit, count := range map[time.Duration]int{time.Hour: 24, time.Minute: 60, time.Second: 60} {
		for i := 1; i <= count; i++ {
			boundary(start.Add(time.Duration(i) * unit))
		}
	}
	for unit := time.Nanosecond; unit < time.Second; unit *= 10 {
		for digit := 1; digit <= 9; digit++ {
			boundary(start.Add(time.Duration(digit) * unit))
		}
	}
	slices.SortFunc(instants, time.Time.Compare)
	return instants
}
