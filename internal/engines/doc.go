// Package engines gives each test the DynamoDB engines that there are on this machine, with a database of its own on each.
//
// [Each] runs a test on every engine: on the one of package ddbtest, which is inside the process and so always there, and on DynamoDB Local
// where that can be started. [Local] asks for DynamoDB Local alone. Where it is missing the test is skipped and says what
// to install; with TRESTLE_REQUIRE_DYNAMODB=1 in the environment it fails.
//
// A test binary has one DynamoDB Local, started when the first test asks and shared by all. It ends with the process. A package that looks for
// leaked goroutines ends it before that look, with [Main].
package engines
