package trestle

import "slices"

// Taken returns the names of the unique values that other items have, such as "email", if that is
// why err was returned: see [ErrTaken]. It returns all of them, so a user can be told at once. For
// a transaction or a batch it returns those of all operations, each once. The failures of the
// [*CanceledError] or the [*UnprocessedError] tell which operation has which.
func Taken(err error) []string {
	names := takenIn(err)
	slices.Sort(names)
	return slices.Compact(names)
}

func takenIn(err error) (names []string) {
	if e, ok := any(err).(*OpError); ok {
		if e == nil {
			return nil
		}
		names = append(names, e.Taken...)
	}
	switch e := any(err).(type) {
	case interface{ Unwrap() error }:
		names = append(names, takenIn(e.Unwrap())...)
	case interface{ Unwrap() []error }:
		for _, wrapped := range e.Unwrap() {
			names = append(names, takenIn(wrapped)...)
		}
	}
	return names
}
