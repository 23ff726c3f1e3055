package engines

import "testing"

// M runs the tests of a package and then ends their server; see [Main].
type M struct{ tests *testing.M }

// Main is for packages that check for leaked goroutines after all tests. A running server would
// count as a leak:
//
//	func TestMain(m *testing.M) { goleak.VerifyTestMain(engines.Main(m)) }
//
// Other packages need no TestMain: the server ends with the process.
func Main(m *testing.M) M { return M{tests: m} }

// MainAlone is [Main] for a package with dozens of databases, which starts a server of its own even
// if TRESTLE_SHARED_DYNAMODB is set.
func MainAlone(m *testing.M) M {
	alone = true
	return Main(m)
}

// alone is set before the tests of a package that has its own server.
var alone bool

// Run runs the tests, ends the server, and returns the exit code.
func (m M) Run() int {
	code := m.tests.Run()
	shared.close()
	return code
}
