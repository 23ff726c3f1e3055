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

// giveUp ends a test that has no server. It skips the test if the server is missing and not
// required. Otherwise it fails the test.
func giveUp(t ender, err error, required bool) {
	t.Helper()
	var missing *ddblocal.MissingError
	if errors.As(err, &missing) && !required {
		t.Skip(err)
		return
	}
	t.Fatal(err)
}
