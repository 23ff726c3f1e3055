package keys

import (
	"errors"
	"fmt"
	"strconv"
)

// The sentinel errors of values, for errors.Is. They are always wrapped in a *[ValueError].
var (
	ErrAbsent     = errors.New("keys: value is absent")
	ErrTooLong    = errors.New("keys: key is too long")
	ErrOutOfRange = errors.New("keys: value is out of the format's range")
	ErrNotExact   = errors.New("keys: format cannot represent the operand")
	ErrReserved   = errors.New("keys: text is reserved")
	ErrInvalid    = errors.New("keys: value is invalid")
	ErrOperator   = errors.New("keys: format does not support the operator")
	ErrReversed   = errors.New("keys: bounds are reversed")
	ErrMismatch   = errors.New("keys: key does not match the template")
)

// SyntaxError is one issue of a template or of a time layout.
type SyntaxError struct {
	Template string // whole text
	// Offset is the start of the issue in bytes. It is 0 in a layout.
	Offset int
	Text   string // faulty part
	Reason string // what is wrong
	Hint   string // what is correct; may be empty

	layout bool // issue of a layout of package time
}

// Error returns the position and the reason on one line.
func (e *SyntaxError) Error() string {
	where := ""
	if !e.layout {
		where = fmt.Sprintf(", offset %d", e.Offset)
	}
	if e.Text != "" && e.Text != e.Template {
		where += fmt.Sprintf(" (%q)", e.Text)
	}
	return message(e.layout, e.Template, where, e.Reason, e.Hint)
}

// message returns the text of an error about a template or a layout.
func message(layout bool, text, where, reason, hint string) string {
	noun := "template"
	if layout {
		noun = "layout"
	}
	if hint != "" {
		reason += "; " + hint
	}
	return fmt.Sprintf("keys: %s %q%s: %s", noun, text, where, reason)
}

// Issues is the error that [Compile] returns: every issue of one template, in the order of the
// text. errors.As finds an Issues, or the first *[SyntaxError] in it.
type Issues []*SyntaxError

// Error returns the issues, one per line.
func (f Issues) Error() string {
	if len(f) == 0 {
		return ""
	}
	return errors.Join(f.Unwrap()...).Error()
}

// Unwrap returns the issues.
func (f Issues) Unwrap() []error {
	errs := make([]error, len(f))
	for i, issue := range f {
		errs[i] = issue
	}
	return errs
}

// ValueError is the error for a value that cannot be rendered, an operand that cannot be compared,
// or a key that cannot be parsed. It names the field and the format, and never contains the value.
type ValueError struct {
	Template string // template, or layout of a format without a template
	Field    string // empty for the whole key
	Format   string // as in the template; may be empty
	Reason   string // what is wrong, with sizes if useful
	Hint     string // what fits; may be empty
	Err      error  // sentinel, such as ErrAbsent

	layout bool
	// cause is a second error: the sentinel that ErrNotExact replaces, or the error of a custom
	// format. It is a pointer so that fmt does not print its text.
	cause *error
}

// Error returns the template, the field, the format and the reason.
func (e *ValueError) Error() string {
	where := ""
	if e.Field != "" {
		where = fmt.Sprintf(", field %q", e.Field)
	}
	if e.Format != "" {
		where += fmt.Sprintf(", format %q", e.Format)
	}
	return message(e.layout, e.Template, where, e.Reason, e.Hint)
}

// Unwrap returns the sentinel, and the error of a custom format if there is one. Error leaves out
// the text of the latter.
func (e *ValueError) Unwrap() []error {
	if e.cause == nil {
		return []error{e.Err}
	}
	return []error{e.Err, *e.cause}
}

// counted returns a count with its noun: "1 digit", "2 digits".
func counted(n int, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return strconv.Itoa(n) + " " + thing
}

// newValueError returns a ValueError without its position. The template adds itself, the field and
// the format.
func newValueError(sentinel error, reason, hint string) *ValueError {
	return &ValueError{Err: sentinel, Reason: reason, Hint: hint}
}
