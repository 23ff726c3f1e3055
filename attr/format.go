package attr

import (
	"fmt"
	"io"
	"log/slog" //nolint:depguard // nothing is logged here: a caller who logs a condition must not log its operands
)

// String is the field's path by attribute names: work.city. An entry of a map shows as ["…"].
func (f Field[T, F]) String() string { return f.path.String() }

// Format prints [Field.String], whatever the verb.
func (f Field[T, F]) Format(s fmt.State, _ rune) { show(s, f.path) }

// LogValue is [Field.String].
func (f Field[T, F]) LogValue() slog.Value { return slog.StringValue(f.path.String()) }

// String is the path that is measured: size(skills).
func (l Length[T]) String() string { return "size(" + l.path.String() + ")" }

// Format prints [Length.String], whatever the verb.
func (l Length[T]) Format(s fmt.State, _ rune) { show(s, l) }

func (c cond[T]) String() string                { return c.c.String() }
func (c cond[T]) Format(s fmt.State, _ rune)    { show(s, c.c) }
func (c cond[T]) LogValue() slog.Value          { return slog.StringValue(c.c.String()) }
func (c keyCond[T]) String() string             { return c.c.String() }
func (c keyCond[T]) Format(s fmt.State, _ rune) { show(s, c.c) }
func (c keyCond[T]) LogValue() slog.Value       { return slog.StringValue(c.c.String()) }
func (c change[T]) String() string              { return c.c.String() }
func (c change[T]) Format(s fmt.State, _ rune)  { show(s, c.c) }
func (c change[T]) LogValue() slog.Value        { return slog.StringValue(c.c.String()) }

// show writes the shape for every verb and flag: none of them may reach an operand.
func show(s fmt.State, v fmt.Stringer) { _, _ = io.WriteString(s, v.String()) }
