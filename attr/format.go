package attr

import (
	"fmt"
	"io"
)

// String returns the field's path of attribute names, such as work.city. It shows an entry of a map
// as ["…"].
//
//go:noinline
func (f *Field[T, F]) String() string { return (*handle)(f).String() }

// Format prints [Field.String] for every verb.
//
//go:noinline
func (f *Field[T, F]) Format(s fmt.State, _ rune) { show(s, (*handle)(f)) }

// MarshalText returns [Field.String] for encoding/json and log/slog.
//
//go:noinline
func (f *Field[T, F]) MarshalText() ([]byte, error) { return text((*handle)(f)) }

// String returns the path in size(), such as size(skills).
//
//go:noinline
func (l *Length[T]) String() string { return "size(" + (*handle)(l).String() + ")" }

// Format prints [Length.String] for every verb.
//
//go:noinline
func (l *Length[T]) Format(s fmt.State, _ rune) { show(s, l) }

//go:noinline
func (h *handle) String() string { return h.pathOrNil().String() }

// show prints the structure for every verb and flag, so that fmt never prints an operand.
//
//go:noinline
func show(s fmt.State, v fmt.Stringer) { _, _ = io.WriteString(s, v.String()) }

// text returns the structure for encoders. Without it they would encode exported fields, including
// those of operands.
//
//go:noinline
func text(v fmt.Stringer) ([]byte, error) { return []byte(v.String()), nil }
