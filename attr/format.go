package attr

import (
	"fmt"
	"io"
)

// String is the field's path by attribute names: work.city. An entry of a map shows as ["…"].
func (f *Field[T, F]) String() string { return (*handle)(f).String() }

// Format prints [Field.String], whatever the verb.
func (f *Field[T, F]) Format(s fmt.State, _ rune) { show(s, (*handle)(f)) }

// MarshalText gives [Field.String] to encoding/json and log/slog.
func (f *Field[T, F]) MarshalText() ([]byte, error) { return text((*handle)(f)) }

// String is the path that is measured: size(skills).
func (l *Length[T]) String() string { return "size(" + (*handle)(l).String() + ")" }

// Format prints [Length.String], whatever the verb.
func (l *Length[T]) Format(s fmt.State, _ rune) { show(s, l) }

func (c *cond[T]) String() string               { return c.tree().String() }
func (c *cond[T]) Format(s fmt.State, _ rune)   { show(s, c.tree()) }
func (c *cond[T]) MarshalText() ([]byte, error) { return text(c.tree()) }

func (c *change[T]) String() string               { return c.change().String() }
func (c *change[T]) Format(s fmt.State, _ rune)   { show(s, c.change()) }
func (c *change[T]) MarshalText() ([]byte, error) { return text(c.change()) }

//go:noinline
func (h *handle) String() string { return h.at().String() }

// show writes the shape for every verb and flag: none of them may reach an operand.
//
//go:noinline
func show(s fmt.State, v fmt.Stringer) { _, _ = io.WriteString(s, v.String()) }

// text is the shape for encoders that take exported fields otherwise, those of operands too.
//
//go:noinline
func text(v fmt.Stringer) ([]byte, error) { return []byte(v.String()), nil }
