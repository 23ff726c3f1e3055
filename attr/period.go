package attr

import (
	"errors"
	"reflect"
	"time"

	"github.com/trestledb/trestle/internal/expr"
)

// Period is a span of time that includes its start and excludes its end. Consecutive periods
// neither overlap nor leave a gap.
type Period struct {
	Start, End time.Time

	err error // why the period cannot be used
}

// Hour returns an hour of a day in UTC.
func Hour(year int, month time.Month, day, hour int) Period {
	start := time.Date(year, month, day, hour, 0, 0, 0, time.UTC)
	return Period{Start: start, End: start.Add(time.Hour)}
}

// Day returns a calendar day in UTC.
func Day(year int, month time.Month, day int) Period {
	start := time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
	return Period{Start: start, End: start.AddDate(0, 0, 1)}
}

// Month returns a calendar month in UTC.
func Month(year int, month time.Month) Period {
	start := time.Date(year, month, 1, 0, 0, 0, 0, time.UTC)
	return Period{Start: start, End: start.AddDate(0, 1, 0)}
}

// Year returns a calendar year in UTC.
func Year(year int) Period {
	start := time.Date(year, time.January, 1, 0, 0, 0, 0, time.UTC)
	return Period{Start: start, End: start.AddDate(1, 0, 0)}
}

var errNoLocation = errors.New("attr: Period.In is given a nil location (check the error of time.LoadLocation)")

// In returns the period with the same calendar start and end in another location, such as the same
// month there. An hour may become empty or two hours long if clocks change. If loc is nil, the use
// of a condition made from the period returns an error.
func (p Period) In(loc *time.Location) Period {
	if loc == nil {
		p.err = errNoLocation
		return p
	}
	return Period{Start: sameClock(p.Start, loc), End: sameClock(p.End, loc), err: p.err}
}

func sameClock(t time.Time, loc *time.Location) time.Time {
	at := withClock(t, loc)
	switch withClock(at, time.UTC).Compare(withClock(t, time.UTC)) {
	// The clock skips t there. Use the instant of the change.
	case -1:
		_, at = at.ZoneBounds()
	case 1:
		at, _ = at.ZoneBounds()
	}
	return at
}

// withClock returns the time in a location that has the date and the clock reading of t.
func withClock(t time.Time, loc *time.Location) time.Time {
	y, m, d := t.Date()
	return time.Date(y, m, d, t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), loc)
}

// During holds if the time exists and is in the period. A period that ends where it starts contains
// no time. A period that ends before it starts is an error. If a key holds times in whole seconds
// or days, the start and the end of the period must be whole too; otherwise the error lists the
// roundings that fit.
func During[T any](f *Field[T, time.Time], p Period) KeyCond[T] {
	return cond[T]{(*handle)(f).during(p)}
}

// during returns a condition on a period that excludes its end.
//
//go:noinline
func (h *handle) during(p Period) *expr.Cond {
	path := h.pathOrNil()
	if p.err != nil {
		path = path.Extend(reflect.TypeFor[time.Time](), p.err)
	}
	return expr.NewCond(expr.During, path, &p.Start, &p.End)
}

// Since holds if the time exists and is t or later. For a key, t must be as exact as the key's
// format, such as now.Truncate(time.Second).
func Since[T any](f *Field[T, time.Time], t time.Time) KeyCond[T] { return f.Ge(t) }

// Before holds if the time exists and is before t. For a key, t must be as exact as the key's
// format.
func Before[T any](f *Field[T, time.Time], t time.Time) KeyCond[T] { return f.Lt(t) }
