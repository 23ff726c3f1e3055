package codec

import (
	"errors"
	"strings"
)

var (
	// ErrNotNumber is the cause if a value that must be a number is not one: NaN, an infinity, or a
	// text that does not parse.
	ErrNotNumber = errors.New("not a number")

	// ErrNumber is the cause if DynamoDB cannot hold a number: it has more than 38 significant
	// digits, or its magnitude is outside 1E-130 to 9.99E+125.
	ErrNumber = errors.New("not a number that DynamoDB can hold")

	// ErrSet is the cause if DynamoDB cannot hold a set: it holds a value twice, or it is empty.
	// Options can omit every element, and the caller's own attribute value can be empty.
	ErrSet = errors.New("not a set that DynamoDB can hold")

	// ErrDepth is the cause if a value is nested more than 100 levels deep, such as a value that
	// contains itself.
	ErrDepth = errors.New("value is nested too deeply")
)

// FieldError reports which field could not be encoded or decoded, and why. Its text holds no value.
// Unwrap returns the error of the type's own method, whose text may hold one.
type FieldError struct {
	// Field is the Go path with list offsets, such as "Work.Phones[2]". Map keys are written [*]. A
	// path of more than 100 bytes is truncated.
	Field  string
	GoType string // the type of the value at that path
	Got    string // the attribute's type, such as "S"; empty when encoding
	Reason string

	err error
}

// Error returns a text without any value. It does not name the package, because users read it in
// the errors of other packages.
func (e *FieldError) Error() string {
	text := e.Reason + " ("
	if e.Field != "" {
		text = e.Field + ": " + text
	}
	if e.Got != "" {
		text += "attribute type " + e.Got + ", "
	}
	return text + "Go type " + e.GoType + ")"
}

// Unwrap returns the cause, or nil if Reason is all there is.
func (e *FieldError) Unwrap() error { return e.err }

// newError returns a FieldError for n. Callers add the path with prependPath.
func (n *Node) newError(got, reason string, cause error) error {
	return &FieldError{GoType: n.Type.String(), Got: got, Reason: reason, err: cause}
}

// A value that contains itself has an endless path, so paths are truncated.
const (
	maxPath  = 100
	ellipsis = "..."
)

// prependPath prepends step to the path of a FieldError. nil stays nil. The compiler inlines it.
func prependPath(step string, err error) error {
	if err == nil {
		return nil
	}
	return lengthenPath(step, err)
}

func lengthenPath(step string, err error) error {
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
	if len(fe.Field) > maxPath {
		fe.Field = strings.ToValidUTF8(fe.Field[:maxPath-len(ellipsis)], "") + ellipsis
	}
	return err
}
