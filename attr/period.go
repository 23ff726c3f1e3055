package attr

import (
	"errors"
	"reflect"
	"time"

	"github.com/trestledb/trestle/internal/expr"
)

// Period is a span of time that includes its start and excludes its end: periods that follow each
// other share no moment and miss none.
type Period struct {
	Start, End time.Time

	err error // why it cannot be used
}

// Hour is an hour of a day in UTC.
func Hour(year int, month time.Month, day, hour int) Period {
	start := time.Date(year, month, day, hour, 0, 0, 0, time.UTC)
	return Period{Start: start, End: start.Add(time.Hour)}
}

// Day is a calendar day in UTC.
func Day(year int, month time.Month, day int) Period {
	start := time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
	return Period{Start: start, End: start.AddDate(0, 0, 1)}
}

// Month is a calendar month in UTC.
func Month(year int, month time.Month) Period {
	start := time.Date(year, month, 1, 0, 0, 0, 0, time.UTC)
	return Period{Start: start, End: start.AddDate(0, 1, 0)}
}

// Year is a calendar year in UTC.
func Year(year int) Period {
	start := time.Date(year, time.January, 1, 0, 0, 0, 0, time.UTC)
	return Period{Start: start, End: start.AddDate(1, 0, 0)}
}

var errNoLocation = errors.New("attr: Period.In is given a nil location (look at the error of time.LoadLocation)")

// In is the period whose calendar start and end are read off a clock in another place: the same
// month there. An hour may then be none, or two, where clocks are moved. A nil location is no UTC:
// a condition made of the period is refused when it is used.
func (p Period) In(loc *time.Location) Period {
	if loc == nil {
		p.err = errNoLocation
		return p
	}
	return Period{Start: moved(p.Start, loc), End: moved(p.End, loc), err: p.err}
}

func moved(t time.Time, loc *time.Location) time.Time {
	y, m, d := t.Date()
	at := time.Date(y, m, d, t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), loc)
	switch clock(at).Compare(clock(t)) {
	case -1: // clocks there were put forward past it: then it is the moment when they were
		_, at = at.ZoneBounds()
	case 1:
		at, _ = at.ZoneBounds()
	}
	return at
}

// During holds where the time is there and lies in the period. A period that ends where it starts
// holds no moment, and one that ends before it starts is refused. A key that holds times in whole
// seconds or days can be asked for periods that start and end so; others are refused, with the
// roundings that would do.
func During[T any](f *Field[T, time.Time], p Period) KeyCond[T] {
	return (*cond[T])((*handle)(f).during(p))
}

// during makes a condition on a period that excludes its end.
//
//go:noinline
func (h *handle) during(p Period) *expr.Cond {
	path := h.at()
	if p.err != nil {
		path = path.Extend(reflect.TypeFor[time.Time](), p.err)
	}
	return expr.Ask(expr.Within, path, &p.Start, &p.End)
}

// Since holds where the time is there and is t or later. Of a key, t must be as exact as its format: now.Truncate(time.Second).
func Since[T any](f *Field[T, time.Time], t time.Time) KeyCond[T] { return f.Ge(t) }

// Before holds where the time is there and earlier than t. Of a key, t must be as exact as its format.
func Before[T any](f *Field[T, time.Time], t time.Time) KeyCond[T] { return f.Lt(t) }

// clock is what a clock shows, as a time in UTC.
func clock(t time.Time) time.Time {
	y, m, d := t.Date()
	return time.Date(y, m, d, t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), time.UTC)
}
