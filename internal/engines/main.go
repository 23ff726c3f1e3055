package engines

import (
	"fmt"
	"os"
	"testing"
)

// M runs a package's tests and then ends their server; see [Main].
type M struct{ tests *testing.M }

// Main is for packages that look for leaked goroutines when all tests are over, when a server would be one:
//
//	func TestMain(m *testing.M) { goleak.VerifyTestMain(engines.Main(m)) }
//
// Other packages need no TestMain: the server ends with the process.
func Main(m *testing.M) M { return M{tests: m} }

// Run runs the tests, ends the server, and returns the exit code.
func (m M) Run() int {
	code := m.tests.Run()
	if err := shared.close(); err != nil {
		fmt.Fprintln(os.Stderr, "engines: end the server:", err)
		return max(code, 1)
	}
	return code
}
