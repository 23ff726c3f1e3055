package codec

import (
	"errors"
	"fmt"
	"strings"
)

var (
	// ErrNotNumber is the cause when what is to be a number is none: NaN, an infinity, a text that does not read as one.
	ErrNotNumber = errors.New("codec: not a number")

	// ErrNumber is the cause when a number is none that DynamoDB can hold: more than 38 significant digits, or a magnitude outside
	// 1E-130 to 9.99E+125.
	ErrNumber = errors.New("codec: not a number that DynamoDB can hold")

	// ErrSet is the cause when a set is none that DynamoDB can hold: it holds a value twice, or nothing
	// since options left every element out.
	ErrSet = errors.New("codec: not a set that DynamoDB can hold")

	// ErrDepth is the cause when a value is nested so deeply that it must hold itself.
	ErrDepth = errors.New("codec: value is nested too deeply")
)

// FieldError says which field could not be encoded or decoded, and why. Its text holds no value; what a type's own method
// returned is reached by Unwrap and may hold one.
type FieldError struct {
	// Field is the Go path with list offsets, such as "Work.Phones[2]". Map keys are written [*], and
	// a path of more than 100 bytes is cut.
	Field  string
	GoType string // the type at that place
	Got    string // the attribute's type, such as "S"; empty when encoding
	Reason string

	err error
}

// Error says where and what, without any value.
func (e *FieldError) Error() string {
	var b strings.Builder
	b.WriteString("codec: ")
	if e.Field != "" {
		b.WriteString(e.Field + ": ")
	}
	b.WriteString(e.Reason)
	if e.Got != "" {
		return fmt.Sprintf("%s (attribute type %s, Go type %s)", b.String(), e.Got, e.GoType)
	}
	return fmt.Sprintf("%s (Go type %s)", b.String(), e.GoType)
}

// Unwrap returns the cause, if there is one beyond the reason.
func (e *FieldError) Unwrap() error { return e.err }

// fault makes a FieldError at n; the caller's way to it is added by within.
func (n *Node) fault(got, reason string, cause error) error {
	return &FieldError{GoType: n.Type.String(), Got: got, Reason: reason, err: cause}
}

// A value that holds itself has a path without end: what is kept of it is readable.
const (
	longestPath = 100
	ellipsis    = "..."
)

// within puts step before the path of a FieldError.
func within(step string, err error) error {
	var fe *FieldError
	if !errors.As(err, &fe) {
		return err
	}
	switch {
	case fe.Field == "":
		fe.Field = step
	case fe.Field[0] == '[':
		fe.Field = step + fe.Field
	default:
		fe.Field = step + "." + fe.Field
	}
	if len(fe.Field) > longestPath {
		fe.Field = strings.ToValidUTF8(fe.Field[:longestPath-len(ellipsis)], "") + ellipsis
	}
	return err
}
