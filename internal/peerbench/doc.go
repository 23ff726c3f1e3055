// Package peerbench compares Trestle with the bare SDK and with other libraries, on the same
// requests and the same canned responses. It has only tests and benchmarks.
//
// TestComparison is `make bench`: it measures the rows of a table in interleaved rounds, and fails
// if a ratio is below its limit. A row is a task; its subjects do the task, each with one library,
// and check its result. TestRows runs each of them once.
//
// The benchmarks of go test have further tasks. Writes are also compared on package ddbtest:
//
//	go test -run '^$' -bench . -benchmem -count 6
//
// It is a separate module, so that the other libraries do not appear in a user's go.sum.
package peerbench
