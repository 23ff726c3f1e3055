package keys

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// What can be wrong with a value, for errors.Is. Every such error is a *ValueError.
var (
	ErrAbsent     = errors.New("keys: part is absent")
	ErrTooLong    = errors.New("keys: key is too long")
	ErrOutOfRange = errors.New("keys: value is out of the format's range")
	ErrNotExact   = errors.New("keys: the format cannot hold the operand")
	ErrReserved   = errors.New("keys: text is reserved")
	ErrInvalid    = errors.New("keys: value is invalid")
	ErrOperator   = errors.New("keys: the format does not serve the operator")
	ErrReversed   = errors.New("keys: bounds are reversed")
	ErrForeign    = errors.New("keys: key is not of this template")
)

// SyntaxError is one fault of a template or of a time layout.
type SyntaxError struct {
	Template string // the whole text
	Offset   int    // where the fault starts, in bytes; 0 of a layout
	Text     string // the part at fault
	Reason   string // what is wrong
	Hint     string // what would be right; may be empty

	layout   bool // of package time
	notation bool // of a placeholder whose parts can be told nevertheless
}

// Error says where and what, on one line.
func (e *SyntaxError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "keys: %s %q", noun(e.layout), e.Template)
	if !e.layout {
		fmt.Fprintf(&b, ", offset %d", e.Offset)
	}
	if e.Text != "" && e.Text != e.Template {
		fmt.Fprintf(&b, " (%q)", e.Text)
	}
	b.WriteString(": " + e.Reason)
	if e.Hint != "" {
		b.WriteString("; " + e.Hint)
	}
	return b.String()
}

// noun is what an error is about.
func noun(layout bool) string {
	if layout {
		return "layout"
	}
	return "template"
}

// Faults is what Parse and Compile return as their error: every fault of one template, in the order of the text.
// errors.As finds a Faults, or the first *SyntaxError in it.
type Faults []*SyntaxError

// Error lists the faults, one a line.
func (f Faults) Error() string {
	lines := make([]string, len(f))
	for i, fault := range f {
		lines[i] = fault.Error()
	}
	return strings.Join(lines, "\n")
}

// Unwrap returns the faults one by one.
func (f Faults) Unwrap() []error {
	errs := make([]error, len(f))
	for i, fault := range f {
		errs[i] = fault
	}
	return errs
}

// ValueError is a value that cannot be rendered, an operand that cannot be compared with, or a key that cannot be
// parsed. It names the field and the format and never holds the value.
type ValueError struct {
	Template string // or the layout, of a format that is used by itself
	Field    string // empty where the key as a whole is meant
	Format   string // as the template has it; may be empty
	Reason   string // what is wrong, with sizes where they help
	Hint     string // what would fit; may be empty
	Err      error  // the sentinel, ErrAbsent and its like

	layout bool
	cause  *error // a second one: the sentinel below ErrNotExact, or what a named format said; a pointer prints as nothing
}

// Error says which field of which template, and why.
func (e *ValueError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "keys: %s %q", noun(e.layout), e.Template)
	if e.Field != "" {
		fmt.Fprintf(&b, ", field %q", e.Field)
	}
	if e.Format != "" {
		fmt.Fprintf(&b, ", format %q", e.Format)
	}
	b.WriteString(": " + e.Reason)
	if e.Hint != "" {
		b.WriteString("; " + e.Hint)
	}
	return b.String()
}

// Unwrap leads errors.Is to the sentinels, and to the error of a named format, whose text Error leaves out.
func (e *ValueError) Unwrap() []error {
	if e.cause == nil {
		return []error{e.Err}
	}
	return []error{e.Err, *e.cause}
}

// counted is a number of things: 1 digit, 2 digits.
func counted(n int, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return strconv.Itoa(n) + " " + thing
}

// refuse starts a ValueError; the template adds itself, the field and the format.
func refuse(sentinel error, reason, hint string) *ValueError {
	return &ValueError{Err: sentinel, Reason: reason, Hint: hint}
}
