package attr

import "github.com/trestledb/trestle/internal/expr"

// Text is the type of the fields that [BeginsWith] and [ContainsText] search: text and bytes.
type Text interface{ ~string | ~[]byte }

// BeginsWith holds if the attribute exists and starts with the prefix.
func BeginsWith[T any, S Text](f *Field[T, S], prefix S) KeyCond[T] {
	return cond[T]{(*handle)(f).cond(expr.BeginsWith, &prefix)}
}

// ContainsText holds if the attribute exists and contains part. A field whose attribute is a key
// attribute, with a format such as <SK:day>, is an error. The formats lower and upper are allowed
// if part has that case.
func ContainsText[T any, S Text](f *Field[T, S], part S) Cond[T] {
	return cond[T]{(*handle)(f).cond(expr.ContainsText, &part)}
}

// Contains holds if the attribute, a list or a set, exists and contains the element e.
func Contains[S ~[]E, T, E any](f *Field[T, S], e E) Cond[T] {
	return cond[T]{(*handle)(f).cond(expr.Contains, slice[S]([]E{e}))}
}
