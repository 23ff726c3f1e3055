package keys_test

import (
	"bytes"
	"cmp"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
	"github.com/trestledb/trestle/keys"
)

// formatCase is one format of one kind. The function kept is an independent model of the precision
// that the format keeps.
type formatCase struct {
	kind    keys.Kind
	format  string
	ordered bool
	value   func(*rand.Rand) keys.Value
	kept    func(keys.Value) keys.Value
}

func (c formatCase) String() string { return c.kind.String() + ":" + c.format }

func (c formatCase) desc() bool { return strings.HasSuffix(c.format, ",desc") }

// kinds returns Options.Kind for templates with the fields a, b, c and so on.
func kinds(cases []formatCase) func(string) (keys.Kind, bool) {
	return func(name string) (keys.Kind, bool) {
		i := int(name[0] - 'a')
		if len(name) != 1 || i < 0 || i >= len(cases) {
			return 0, false
		}
		return cases[i].kind, true
	}
}

func placeholder(i int, c formatCase) string {
	name := string(rune('a' + i))
	if c.format == "" {
		return "<" + name + ">"
	}
	return "<" + name + ":" + c.format + ">"
}

func identity(v keys.Value) keys.Value { return v }

var formatCases = func() []formatCase {
	cases := []formatCase{
		{keys.KindText, "", true, hostileText, identity},
		{keys.KindText, "lower", true, hostileText, func(v keys.Value) keys.Value { return keys.Text(strings.ToLower(v.Text())) }},
		{keys.KindText, "upper", true, hostileText, func(v keys.Value) keys.Value { return keys.Text(strings.ToUpper(v.Text())) }},
		{keys.KindInt, "raw", false, anyInt, identity},
		{keys.KindUint, "raw", false, anyUint, identity},
		{keys.KindBool, "", true, anyBool, identity},
		{keys.KindBytes, "hex", true, anyBytes, identity},
	}
	both := func(c formatCase) {
		cases = append(cases, c, formatCase{c.kind, c.format + ",desc", c.ordered, c.value, c.kept})
	}
	below := func(limit uint64) func(*rand.Rand) keys.Value {
		return func(r *rand.Rand) keys.Value { return keys.Int(int64(near(r, limit, 0, limit/2, limit) % (limit + 1))) }
	}
	both(formatCase{keys.KindInt, "06", true, below(999_999), identity})
	both(formatCase{keys.KindInt, "020", true, below(math.MaxInt64), identity})
	both(formatCase{keys.KindUint, "020", true, anyUint, identity})
	both(formatCase{keys.KindInt, "ord", true, anyInt, identity})
	both(formatCase{keys.KindUint, "ord", true, func(r *rand.Rand) keys.Value { return keys.Uint(anyUint(r).Uint() >> 1) }, identity})
	both(formatCase{keys.KindFloat, "ord", true, anyFloat, identity})
	cases = append(cases, formatCase{keys.KindInt, "color", true, func(r *rand.Rand) keys.Value { return keys.Int(r.Int64N(3)) }, identity})
	// The order is fixed, so that a seed reproduces a run.
	for _, format := range slices.Sorted(maps.Keys(timeModels)) {
		keep, since := timeModels[format], int64(math.MinInt64)
		if format == "unix" {
			since = 0
		}
		both(formatCase{
			keys.KindTime, format, true,
			func(r *rand.Rand) keys.Value { return anyTime(r, since) },
			func(v keys.Value) keys.Value { return keys.Time(keep(v.Time())) },
		})
	}
	return cases
}()

// timeModels are the models of the time formats. They rebuild the time from its parts.
var timeModels = map[string]func(time.Time) time.Time{
	"ns":   func(t time.Time) time.Time { return t },
	"us":   fraction(1000),
	"ms":   fraction(1_000_000),
	"s":    fraction(1_000_000_000),
	"unix": fraction(1_000_000_000),
	// The layouts of testLayouts.
	"basic":  fraction(1_000_000_000),
	"spaced": fraction(1_000_000_000),
	"hour": func(t time.Time) time.Time {
		return time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), 0, 0, 0, time.UTC)
	},
	"day":   func(t time.Time) time.Time { return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, time.UTC) },
	"month": func(t time.Time) time.Time { return time.Date(t.Year(), t.Month(), 1, 0, 0, 0, 0, time.UTC) },
	"year":  func(t time.Time) time.Time { return time.Date(t.Year(), 1, 1, 0, 0, 0, 0, time.UTC) },
}

func fraction(unit int) func(time.Time) time.Time {
	return func(t time.Time) time.Time {
		n := t.Nanosecond() / unit * unit
		return time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), n, time.UTC)
	}
}

// hostile are the runes of random texts of one to four runes. They break joined keys.
var hostile = []rune{0, 1, ' ', '!', '"', '#', '$', '%', 'a', 'b', 'Z', '1', 0x7f, 'é', 0xD7FF, 0xE000, 0xFFFF, 0x10FFFF}

func textOf(r *rand.Rand, alphabet []rune) keys.Value {
	text := make([]rune, 1+r.IntN(4))
	for i := range text {
		text[i] = alphabet[r.IntN(len(alphabet))]
	}
	return keys.Text(string(text))
}

func hostileText(r *rand.Rand) keys.Value { return textOf(r, hostile) }

// near returns one of the others or a number next to it, or sometimes any number below limit.
func near(r *rand.Rand, limit uint64, others ...uint64) uint64 {
	if r.IntN(4) == 0 {
		return r.Uint64N(limit)
	}
	return others[r.IntN(len(others))] + uint64(r.IntN(3)) - 1
}

func anyInt(r *rand.Rand) keys.Value {
	return keys.Int(int64(near(r, math.MaxUint64, 0, 1<<63, 1<<63-1, 10, 100, 999_999)))
}

func anyUint(r *rand.Rand) keys.Value {
	return keys.Uint(near(r, math.MaxUint64, 0, 1<<63, 1<<62, 10, 100, math.MaxUint64))
}

func anyBool(r *rand.Rand) keys.Value { return keys.Bool(r.IntN(2) == 0) }

func anyBytes(r *rand.Rand) keys.Value {
	b := make([]byte, 1+r.IntN(3))
	for i := range b {
		b[i] = []byte{0, 1, 15, 16, 0x24, 0x7f, 0x80, 0xff}[r.IntN(8)]
	}
	return keys.Bytes(b)
}

func anyFloat(r *rand.Rand) keys.Value {
	special := []float64{0, math.Copysign(0, -1), 1, -1, math.SmallestNonzeroFloat64, -math.SmallestNonzeroFloat64,
		math.MaxFloat64, -math.MaxFloat64, math.Inf(1), math.Inf(-1), 0.1, -0.1}
	if r.IntN(3) > 0 {
		return keys.Float(special[r.IntN(len(special))])
	}
	f := math.Float64frombits(r.Uint64())
	if math.IsNaN(f) {
		f = 2
	}
	return keys.Float(f)
}

// anyTime returns a time near the boundary of a unit, or any time in the years that keys support.
func anyTime(r *rand.Rand, since int64) keys.Value {
	first, last := max(since, -62_167_219_200), int64(253_402_300_799)
	seconds := first + r.Int64N(last-first+1)
	if r.IntN(4) > 0 {
		day := time.Date([]int{1970, 1999, 2000, 2024, 2026, 9999}[r.IntN(6)], time.Month(1+r.IntN(12)), 1+r.IntN(2), 0, 0, 0, 0, time.UTC)
		seconds = day.Unix() + []int64{0, 0, 1, 59, 60, 3599, 3600}[r.IntN(7)]
	}
	t := time.Unix(max(first, min(last, seconds)), []int64{0, 1, 999, 1000, 500_000_000, 999_999_999}[r.IntN(6)]).UTC()
	// It may round down to the zero time, which is absent.
	if t.Year() == 1 {
		t = t.AddDate(1, 0, 0)
	}
	return keys.Time(t)
}

// compareValues compares values of one kind.
func compareValues(a, b keys.Value) int {
	switch a.Kind() {
	case keys.KindText:
		return strings.Compare(a.Text(), b.Text())
	case keys.KindInt:
		return cmp.Compare(a.Int(), b.Int())
	case keys.KindUint:
		return cmp.Compare(a.Uint(), b.Uint())
	case keys.KindFloat:
		return cmp.Compare(a.Float(), b.Float())
	case keys.KindTime:
		return a.Time().Compare(b.Time())
	case keys.KindBool:
		return boolRank(a) - boolRank(b)
	}
	return bytes.Compare(a.Bytes(), b.Bytes())
}

func boolRank(v keys.Value) int {
	if v.Bool() {
		return 1
	}
	return 0
}

// TestKeyOrder checks for every format that keys are equal if and only if the kept values are, and
// that ordered formats sort keys as the kept values.
func TestKeyOrder(t *testing.T) {
	t.Parallel()
	testsize.SkipRace(t)
	for _, c := range formatCases {
		t.Run(c.String(), func(t *testing.T) {
			t.Parallel()
			r := testrand.New(t)
			o := keys.Options{Kind: kinds([]formatCase{c, c}), Formats: testFormats(t)}
			pairs := testsize.Pick(10_000, 20_000, 1_000_000)
			alone := compile(t, "A#"+placeholder(0, c), o)
			followed := compile(t, "A#"+placeholder(0, c)+"#"+placeholder(1, c), o)
			for range pairs {
				x, y := []keys.Value{c.value(r), c.value(r)}, []keys.Value{c.value(r), c.value(r)}
				if r.IntN(4) == 0 {
					y[0] = x[0]
				}
				if err := orderError(c, alone.Render, x[:1], y[:1]); err != "" {
					require.Fail(t, err)
				}
				if err := orderError(c, followed.Render, x, y); err != "" {
					require.Fail(t, err)
				}
			}
		})
	}
}

// orderError returns an error text if two keys do not compare as their values.
func orderError(c formatCase, render func(...keys.Value) (string, error), x, y []keys.Value) string {
	a, err := render(x...)
	if err != nil {
		return err.Error()
	}
	b, err := render(y...)
	if err != nil {
		return err.Error()
	}
	want := 0
	for i := range x {
		if want == 0 {
			want = compareValues(c.kept(x[i]), c.kept(y[i]))
		}
	}
	got := strings.Compare(a, b)
	switch {
	case (got == 0) != (want == 0):
		return "keys collide, or one tuple has two"
	case !c.ordered:
		return ""
	case c.desc():
		got = -got
	}
	if got != want {
		return "keys do not sort as their values"
	}
	return ""
}

// TestKeyOrderControl checks that the naive join does not have the property that TestKeyOrder
// checks.
func TestKeyOrderControl(t *testing.T) {
	t.Parallel()
	testsize.SkipRace(t)
	r := testrand.New(t)
	text := formatCases[0]
	join := func(vals ...keys.Value) (string, error) {
		return naive{"A#<a>#<b>"}.Render(vals...)
	}
	found := map[string]int{}
	for range 20_000 {
		x, y := []keys.Value{text.value(r), text.value(r)}, []keys.Value{text.value(r), text.value(r)}
		found[orderError(text, join, x, y)]++
	}
	require.Positive(t, found["keys do not sort as their values"])
	short := []rune{'#', 'a'}
	for range 20_000 {
		x := []keys.Value{textOf(r, short), textOf(r, short)}
		y := []keys.Value{textOf(r, short), textOf(r, short)}
		found[orderError(text, join, x, y)]++
	}
	require.Positive(t, found["keys collide, or one tuple has two"])
}
