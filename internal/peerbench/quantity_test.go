package peerbench

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// quantity returns a value with its unit, in three digits.
func quantity(v float64, unit string) string {
	unit, _, _ = strings.Cut(unit, "/")
	switch {
	case unit == "ns", strings.HasSuffix(unit, "-ns"):
		return scaled(v, 1000, "ns", "µs", "ms", "s")
	case unit == "B", strings.HasSuffix(unit, "-B"):
		return scaled(v, 1000, "B", "kB", "MB", "GB")
	default:
		return scaled(v, 1000, "", "k", "M")
	}
}

func scaled(v, step float64, units ...string) string {
	for len(units) > 1 && math.Abs(v) >= step*0.9995 {
		v, units = v/step, units[1:]
	}
	return strings.TrimSpace(digits(v) + " " + units[0])
}

// digits returns a number in three digits.
func digits(v float64) string {
	decimals := 2
	for limit := 9.995; decimals > 0 && math.Abs(v) >= limit; limit *= 10 {
		decimals--
	}
	if math.Abs(v-math.Round(v)) < 0.0005 {
		decimals = 0
	}
	return strconv.FormatFloat(v, 'f', decimals, 64)
}

func TestQuantity(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		value      float64
		unit, want string
	}{
		{0, allocations, "0"},
		{0.5142, allocations, "0.51"},
		{76121, allocations, "76.1 k"},
		{3587832, processTime, "3.59 ms"},
		{999.7, wallTime, "1 µs"},
		{-4520, wallTime, "-4.52 µs"},
		{1e9, wallTime, "1 s"},
		{907773, memory, "908 kB"},
		{3646033, "B/program", "3.65 MB"},
		{29999.9, "compile-ns/entity", "30 µs"},
		{4.9999, allocations, "5"},
		{491000, "items/s", "491 k"},
	} {
		require.Equal(t, c.want, quantity(c.value, c.unit))
	}
}
