package keys

import (
	"time"

	"github.com/trestledb/trestle/internal/keyspace"
)

// IsPeriod reports whether placeholder i has one of the formats year, month, day and hour. Its
// values are then periods of time.
func (t *Template) IsPeriod(i int) bool {
	_, ok := t.orZero().period(i)
	return ok
}

// period returns the codec of placeholder i without desc, if its values are periods.
func (t *Template) period(i int) (timestamp, bool) {
	if i < 0 || i >= len(t.placeholders) {
		return timestamp{}, false
	}
	c := t.placeholders[i].codec
	if d, reversed := c.(descending); reversed {
		c = d.bounded
	}
	stamp, ok := c.(timestamp)
	return stamp, ok && (stamp.span == 0 || stamp.span >= time.Hour)
}

// Periods returns the periods of placeholder i that hold the times of a comparison, in ascending
// order: for Eq, Between and During. It returns at most most+1 of them. Periods is for Trestle's
// own packages: its operators are of an internal type.
//
// Errors are a *[ValueError] that wraps [ErrOperator] for any other operator or placeholder,
// [ErrReversed] for bounds in the wrong order, or an error of Append.
func (t *Template) Periods(i int, op keyspace.Op, operands []Value, most int) ([]Value, error) {
	t = t.orZero()
	c, ok := t.period(i)
	if !ok || op != keyspace.Eq && op != keyspace.Between && op != keyspace.During || len(operands) != op.Operands() {
		return nil, &ValueError{Template: t.text, Err: ErrOperator, Reason: "the comparison is not bounded by periods of time"}
	}
	first, err := t.Kept(i, operands[0])
	if err != nil {
		return nil, err
	}
	end := operands[len(operands)-1] // the last instant, or the one after it
	if order := end.Time().Compare(operands[0].Time()); order < 0 {
		return nil, t.locate(i, newValueError(ErrReversed, "the lower bound is after the upper bound", ""))
	} else if order == 0 && op == keyspace.During {
		return nil, nil
	}
	within := func(v Value) bool {
		order := v.Time().Compare(end.Time())
		return order < 0 || order == 0 && op != keyspace.During
	}
	var list []Value
	for v := first; within(v) && len(list) <= most && v.Time().Year() <= maxYear; v = c.step(v, 1) {
		list = append(list, v)
	}
	return list, nil
}
