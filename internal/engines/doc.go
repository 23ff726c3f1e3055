// Package engines runs a test on each DynamoDB engine of this machine, with a database of its own
// on each.
//
// [Each] runs a test on every engine: on package ddbtest, which is always available, and on
// DynamoDB Local if it can be started. [Local] returns DynamoDB Local alone. If it is missing, the
// test is skipped with a message that lists what to install. With TRESTLE_REQUIRE_DYNAMODB=1 in the
// environment the test fails instead. Under the race detector, DynamoDB Local is used only with
// TRESTLE_REQUIRE_DYNAMODB=1 or DYNAMODB_ENDPOINT: it is another process, in which the detector
// finds nothing. With TRESTLE_SKIP_DYNAMODB=1 no test uses it.
//
// The first test of a test binary that needs DynamoDB Local starts it with the command
// internal/ddblocal, a separate module, unless DYNAMODB_ENDPOINT names a server. All tests of the
// binary share it, and it ends with the process. A package that checks for leaked goroutines ends
// it before that check with [Main]. DynamoDB Local keeps each test's database with its threads, and
// 500 of them cost more than the start of another server. Continuous integration sets
// TRESTLE_SHARED_DYNAMODB to the URL of one server, which takes about five seconds of a core to
// start and to warm up. Test binaries share it, except those of packages with many databases, which
// use [MainAlone].
package engines
