package trestle

import (
	"errors"
	"slices"
)

// Taken returns the names of the unique values that other items have, such as "email", if that is
// why err was returned: see [ErrTaken]. It returns all of them, so a user can be told at once. For
// a transaction it returns those of all operations, each once; the failures of the [*CanceledError]
// tell which operation has which.
func Taken(err error) []string {
	var names []string
	var failed *OpError
	if errors.As(err, &failed) {
		names = slices.Clone(failed.Taken)
	}
	var canceled *CanceledError
	if errors.As(err, &canceled) {
		for _, f := range canceled.Failures {
			if f.Err != nil {
				names = append(names, f.Err.Taken...)
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}
