package keys_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/internal/keyspace"
	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
	"github.com/trestledb/trestle/keys"
)

// periodFormats are the formats whose values are periods.
var periodFormats = []string{"year", "month", "day", "hour", "year,desc", "month,desc", "day,desc", "hour,desc"}

func periodTemplate(t testing.TB, format string) *keys.Template {
	t.Helper()
	return compile(t, "L#<app>#<at:"+format+">", keys.Options{Kind: kindsOf(map[string]keys.Kind{"app": keys.KindText, "at": keys.KindTime})})
}

// periodOf returns the start of the period of a time, and of the next one.
func periodOf(format string, at time.Time) (start, next time.Time) {
	at = at.UTC()
	y, m, d := at.Date()
	date := func(y int, m time.Month, d, h int) time.Time { return time.Date(y, m, d, h, 0, 0, 0, time.UTC) }
	switch format[:3] {
	case "yea":
		return date(y, 1, 1, 0), date(y+1, 1, 1, 0)
	case "mon":
		return date(y, m, 1, 0), date(y, m+1, 1, 0)
	case "day":
		return date(y, m, d, 0), date(y, m, d+1, 0)
	default:
		return date(y, m, d, at.Hour()), date(y, m, d, at.Hour()+1)
	}
}

func timesOf(list []keys.Value) (all []time.Time) {
	for _, v := range list {
		all = append(all, v.Time())
	}
	return all
}

func utc(text string) time.Time {
	at, err := time.Parse("2006-01-02T15:04:05.999999999", text)
	if err != nil {
		at, err = time.Parse(time.DateOnly, text)
	}
	if err != nil {
		panic(err)
	}
	return at.UTC()
}

func TestPeriods(t *testing.T) {
	t.Parallel()
	end := time.Date(10_000, 1, 1, 0, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		format string
		op     keyspace.Op
		lo, hi time.Time
		want   []string
	}{
		{"month", keyspace.Between, utc("2026-01-31"), utc("2026-03-01"), []string{"2026-01-01", "2026-02-01", "2026-03-01"}},
		{"month", keyspace.During, utc("2026-01-31"), utc("2026-03-01"), []string{"2026-01-01", "2026-02-01"}},
		{"month", keyspace.During, utc("2026-01-31"), utc("2026-03-01T00:00:00.000000001"), []string{"2026-01-01", "2026-02-01", "2026-03-01"}},
		{"day", keyspace.Between, utc("2028-02-28T23:59:59.999999999"), utc("2028-03-01"), []string{"2028-02-28", "2028-02-29", "2028-03-01"}},
		{"day", keyspace.Between, utc("2100-02-28"), utc("2100-03-01"), []string{"2100-02-28", "2100-03-01"}},
		{"day", keyspace.During, utc("2026-12-31"), utc("2027-01-01"), []string{"2026-12-31"}},
		{"hour", keyspace.Between, utc("2026-03-29T00:30:00"), utc("2026-03-29T02:00:00"), []string{"2026-03-29", "2026-03-29T01:00:00", "2026-03-29T02:00:00"}},
		{"hour", keyspace.During, utc("2026-03-29T00:30:00"), utc("2026-03-29T02:00:00"), []string{"2026-03-29", "2026-03-29T01:00:00"}},
		{"year", keyspace.Between, utc("2024-02-29"), utc("2025-01-01"), []string{"2024-01-01", "2025-01-01"}},
		{"day", keyspace.During, utc("2026-05-05T05:00:00"), utc("2026-05-05T05:00:00"), nil},
		{"day", keyspace.Between, utc("2026-05-05T05:00:00"), utc("2026-05-05T05:00:00"), []string{"2026-05-05"}},
		{"day", keyspace.Eq, utc("2026-05-05T05:00:00"), time.Time{}, []string{"2026-05-05"}},
		{"day,desc", keyspace.Between, utc("2026-05-31"), utc("2026-06-01"), []string{"2026-05-31", "2026-06-01"}},
		{"month,desc", keyspace.During, utc("2026-05-31"), utc("2026-07-01"), []string{"2026-05-01", "2026-06-01"}},
		{"day", keyspace.Between, utc("9999-12-30T05:00:00"), end.Add(-1), []string{"9999-12-30", "9999-12-31"}},
		{"month", keyspace.During, utc("9999-11-30"), end, []string{"9999-11-01", "9999-12-01"}},
		{"year", keyspace.During, utc("9998-11-30"), end, []string{"9998-01-01", "9999-01-01"}},
		{"hour,desc", keyspace.During, utc("9999-12-31T22:59:00"), end, []string{"9999-12-31T22:00:00", "9999-12-31T23:00:00"}},
		{"day", keyspace.Between, time.Date(2026, 5, 5, 1, 0, 0, 0, time.FixedZone("", 2*3600)), utc("2026-05-05"), []string{"2026-05-04", "2026-05-05"}},
		{"year", keyspace.Between, utc("0000-05-05"), utc("0001-05-05"), []string{"0000-01-01", "0001-01-01"}},
	} {
		operands := []keys.Value{keys.Time(c.lo), keys.Time(c.hi)}[:c.op.Operands()]
		got, err := periodTemplate(t, c.format).Periods(1, c.op, operands, 100)
		require.NoError(t, err)
		var want []time.Time
		for _, text := range c.want {
			want = append(want, utc(text))
		}
		require.Equal(t, want, timesOf(got), "%s %s %s %s", c.format, c.op, c.lo, c.hi)
	}
}

func TestPeriods_errors(t *testing.T) {
	t.Parallel()
	at, later := keys.Time(utc("2026-05-05")), keys.Time(utc("2026-05-06"))
	template := periodTemplate(t, "day")
	for name, c := range map[string]struct {
		at       int
		op       keyspace.Op
		operands []keys.Value
		want     error
	}{
		"no period":        {0, keyspace.Eq, []keys.Value{keys.Text("a")}, keys.ErrOperator},
		"no placeholder":   {2, keyspace.Eq, []keys.Value{at}, keys.ErrOperator},
		"negative":         {-1, keyspace.Eq, []keys.Value{at}, keys.ErrOperator},
		"one bound":        {1, keyspace.Ge, []keys.Value{at}, keys.ErrOperator},
		"missing operand":  {1, keyspace.Between, []keys.Value{at}, keys.ErrOperator},
		"reversed":         {1, keyspace.Between, []keys.Value{later, at}, keys.ErrReversed},
		"reversed, during": {1, keyspace.During, []keys.Value{later, at}, keys.ErrReversed},
		"out of range":     {1, keyspace.Eq, []keys.Value{keys.Time(time.Date(10_000, 1, 1, 0, 0, 0, 0, time.UTC))}, keys.ErrOutOfRange},
	} {
		_, err := template.Periods(c.at, c.op, c.operands, 10)
		require.ErrorIs(t, err, c.want, name)
	}
	for format, want := range map[string]bool{"year": true, "month,desc": true, "day": true, "hour": true, "s": false, "ms": false, "unix": false} {
		require.Equal(t, want, periodTemplate(t, format).IsPeriod(1), format)
	}
	require.False(t, template.IsPeriod(0))
	require.False(t, new(keys.Template).IsPeriod(0))
	list, err := template.Periods(1, keyspace.Between, []keys.Value{at, keys.Time(utc("2027-05-05"))}, 10)
	require.NoError(t, err)
	require.Len(t, list, 11, "one more than allowed")
}

// The periods of a comparison are those that hold any of its times, in order, each once. The
// control adds a unit of the calendar to the lower bound.
func TestRandomPeriods(t *testing.T) {
	t.Parallel()
	testsize.SkipRace(t)
	r := testrand.New(t)
	caught := 0
	for range testsize.Pick(2_000, 4_000, 200_000) {
		format := periodFormats[r.IntN(len(periodFormats))]
		lo := edgeTime(r, format)
		hi := lo
		for range r.IntN(6) {
			_, hi = periodOf(format, hi)
		}
		hi = hi.Add([]time.Duration{-1, 0, 1, time.Minute, -time.Hour, 40 * time.Hour}[r.IntN(6)])
		if hi.Before(lo) || lo.Year() < 1 || lo.IsZero() || hi.Year() > 9999 {
			continue
		}
		op := []keyspace.Op{keyspace.Between, keyspace.During}[r.IntN(2)]
		got, err := periodTemplate(t, format).Periods(1, op, []keys.Value{keys.Time(lo), keys.Time(hi)}, 500)
		require.NoError(t, err)
		want := periodsBetween(format, op, lo, hi)
		require.Equal(t, want, timesOf(got), "%s %s %s %s", format, op, lo, hi)
		if len(naivePeriods(format, op, lo, hi)) != len(want) {
			caught++
		}
	}
	require.Greater(t, caught, 20, "the control")
}

// edgeTime returns a time near the start of a period, or any other.
func edgeTime(r *rand.Rand, format string) time.Time {
	at := time.Date(r.IntN(10_000), time.Month(1+r.IntN(12)), 1+r.IntN(31), r.IntN(24), r.IntN(60), 0, r.IntN(1e9), time.UTC)
	if r.IntN(3) == 0 {
		at = time.Date([]int{1999, 2000, 2024, 2100, 9999}[r.IntN(5)], []time.Month{1, 2, 3, 12}[r.IntN(4)], 28+r.IntN(4), r.IntN(24), 0, 0, 0, time.UTC)
	}
	if r.IntN(3) == 0 {
		at, _ = periodOf(format, at)
		at = at.Add(time.Duration(r.IntN(3) - 1))
	}
	return at
}

// periodsBetween tries the times from the lower bound on, hour by hour, and the upper bound.
func periodsBetween(format string, op keyspace.Op, lo, hi time.Time) (list []time.Time) {
	add := func(at time.Time) {
		start, _ := periodOf(format, at)
		if len(list) == 0 || !list[len(list)-1].Equal(start) {
			list = append(list, start)
		}
	}
	for at := lo; at.Before(hi); at = at.Truncate(time.Hour).Add(time.Hour) {
		add(at)
	}
	if op == keyspace.Between {
		add(hi)
	}
	return list
}

// naivePeriods adds years, months, days and hours to the lower bound.
func naivePeriods(format string, op keyspace.Op, lo, hi time.Time) (list []time.Time) {
	for at := lo; at.Before(hi) || op == keyspace.Between && at.Equal(hi); {
		list = append(list, at)
		switch format[:3] {
		case "yea":
			at = at.AddDate(1, 0, 0)
		case "mon":
			at = at.AddDate(0, 1, 0)
		case "day":
			at = at.AddDate(0, 0, 1)
		default:
			at = at.Add(time.Hour)
		}
	}
	return list
}
