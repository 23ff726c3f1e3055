package attr

import "github.com/trestledb/trestle/internal/expr"

// Text is what [BeginsWith] and [ContainsText] look into: text and bytes.
type Text interface{ ~string | ~[]byte }

// BeginsWith holds where the attribute is there and starts with the prefix.
func BeginsWith[T any, S Text](f *Field[T, S], prefix S) KeyCond[T] {
	return (*cond[T])((*handle)(f).ask(expr.BeginsWith, &prefix))
}

// ContainsText holds where the attribute is there and the part occurs in it. A field that is a key
// by itself in a format is refused, unless the format is lower or upper, and the part is written
// so.
func ContainsText[T any, S Text](f *Field[T, S], part S) Cond[T] {
	return (*cond[T])((*handle)(f).ask(expr.Substring, &part))
}

// Contains holds where the attribute, a list or a set, is there and the element is in it.
func Contains[S ~[]E, T, E any](f *Field[T, S], e E) Cond[T] {
	return (*cond[T])((*handle)(f).ask(expr.Contains, slice[S]([]E{e})))
}
