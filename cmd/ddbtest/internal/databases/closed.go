package databases

import (
	"errors"
	"syscall"
)

// IsClosed reports whether a request failed because its database was closed or replaced after the
// request had found it. A closed database refuses connections.
func IsClosed(err error) bool {
	return errors.Is(err, ErrClosed) || errors.Is(err, syscall.ECONNREFUSED)
}
