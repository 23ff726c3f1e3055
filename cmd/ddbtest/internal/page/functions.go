package page

import (
	"html/template"
	"maps"
	"slices"
	"strconv"
	"time"
)

// functions are the functions of the templates.
var functions = template.FuncMap{
	"clock":  func(t time.Time) string { return moment(t) + " UTC" },
	"moment": moment,
	"stamp":  func(t time.Time) string { return t.UTC().Format(time.RFC3339Nano) },
	"units":  func(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) },
	"bytes":  bytesText,
	"round":  func(d time.Duration) string { return d.Round(time.Microsecond).String() },
	"target": target,
	"count":  count,
	"add":    func(a, b int) int { return a + b },
	"keys":   func(m map[string]int) []string { return slices.Sorted(maps.Keys(m)) },
}

// count returns a number of things as text.
func count(n int, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return strconv.Itoa(n) + " " + thing
}

// bytesText returns a size as text.
func bytesText(n int64) string {
	const kilo = 1000
	switch {
	case n < kilo:
		return strconv.FormatInt(n, 10) + " B"
	case n < kilo*kilo:
		return strconv.FormatFloat(float64(n)/kilo, 'f', 1, 64) + " kB"
	default:
		return strconv.FormatFloat(float64(n)/kilo/kilo, 'f', 1, 64) + " MB"
	}
}

// moment returns a time in UTC as text.
func moment(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05.000") }
