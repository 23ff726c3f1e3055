package engines

import (
	"errors"

	"github.com/trestledb/trestle/internal/ddblocal"
)

// ender is the part of testing.TB that ends a test.
type ender interface {
	Helper()
	Skip(args ...any)
	Fatal(args ...any)
}

// giveUp ends a test that has no server: what is missing skips it unless it is required, what is broken fails it.
func giveUp(t ender, err error, required bool) {
	t.Helper()
	var missing *ddblocal.MissingError
	if errors.As(err, &missing) && !required {
		t.Skip(err)
		return
	}
	t.Fatal(err)
}
