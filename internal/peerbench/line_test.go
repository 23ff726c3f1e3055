package peerbench

import "fmt"

// line is a line of the table: a value of Trestle and its comparison with another subject.
type line struct {
	what string // "CPU"
	unit string // of the samples
	of   string // the subject of the column Trestle, if it is another one
	per  int    // the entities of one operation, if the value is for one entity; else 0
	how  comparison
	than string // the other subject
	row  int    // its row, if it is another one
	// asked is whether the comparison has a limit.
	asked bool
	limit float64
}

// comparison is how a line compares Trestle with another subject.
type comparison uint8

const (
	alone   comparison = iota // the value itself, at most the limit
	less                      // how many times less, at least the limit
	more                      // how many times more, at least the limit
	portion                   // a multiple of the other value, at most the limit
	added                     // the difference, at most the limit
)

// shown is a line without a limit.
func shown(what, unit string) line { return line{what: what, unit: unit, how: less, than: theSDK} }

// asks is a line with a limit.
func asks(what, unit string, how comparison, than string, limit float64) line {
	return line{what: what, unit: unit, how: how, than: than, asked: true, limit: limit}
}

// atMost is a line with a limit of the value itself.
func atMost(what, unit string, limit float64) line {
	return line{what: what, unit: unit, asked: true, limit: limit}
}

// perItem changes a line to the value for each of the entities of an operation.
func (l line) perItem(n int) line {
	l.per = n
	return l
}

// value returns the median of a subject for the line.
func (l *line) value(r results, number int, subject string) (float64, bool) {
	v, ok := r.median(number, subject, l.unit)
	return v / float64(max(l.per, 1)), ok
}

// subject returns the subject of the column Trestle.
func (l *line) subject() string {
	if l.of != "" {
		return l.of
	}
	return ours
}

// figure returns the number that the line compares with its limit, and the value of the other
// subject. It returns false if one of the values is missing.
func (l *line) figure(r results, number int) (figure, other float64, ok bool) {
	own, ok := l.value(r, number, l.subject())
	if !ok || l.how == alone {
		return own, 0, ok
	}
	if l.row != 0 {
		number = l.row
	}
	if other, ok = l.value(r, number, l.than); !ok {
		return 0, 0, false
	}
	switch l.how {
	case less:
		return other / own, other, own != 0
	case more, portion:
		return own / other, other, true
	default:
		return own - other, other, true
	}
}

// holds reports whether a figure is within the limit.
func (l *line) holds(figure float64) bool {
	if l.how == less || l.how == more {
		return figure >= l.limit
	}
	return figure <= l.limit
}

// text returns a figure, or a limit, as the table shows it.
func (l *line) text(figure float64) string {
	switch l.how {
	case alone:
		return quantity(figure, l.unit)
	case added:
		return "+ " + quantity(figure, l.unit)
	default:
		return digits(figure) + " ×"
	}
}

// other names the other subject, with its value if it has no column.
func (l *line) other(value float64) string {
	switch {
	case l.how == alone:
		return ""
	case l.row != 0:
		return fmt.Sprintf(" row %d (%s)", l.row, quantity(value, l.unit))
	case l.than == theSDK:
		return " SDK"
	case l.than == guregu:
		return " guregu"
	default:
		return fmt.Sprintf(" %s (%s)", l.than, quantity(value, l.unit))
	}
}
