// Package engines gives each test the DynamoDB engines that there are on this machine, with a database of its own on each.
//
// [Each] runs a test on every engine; [Local] asks for DynamoDB Local alone. An engine that is missing skips the test and says what
// to install; with TRESTLE_REQUIRE_DYNAMODB=1 in the environment it fails the test.
//
// A test binary has one server, started when the first test asks and shared by all. It ends with the process. A package that looks for
// leaked goroutines ends it before that look, with [Main].
package engines
