// Package engines runs a test on each DynamoDB engine of this machine, with a database of its own
// on each.
//
// [Each] runs a test on every engine: on package ddbtest, which is always available, and on
// DynamoDB Local if it can be started. [Local] returns DynamoDB Local alone. If it is missing, the
// test is skipped with a message that lists what to install. With TRESTLE_REQUIRE_DYNAMODB=1 in the
// environment the test fails instead.
//
// A test binary has one DynamoDB Local. The first test that needs it starts it, and all tests share
// it. It ends with the process. A package that checks for leaked goroutines ends it before that
// check with [Main].
package engines
