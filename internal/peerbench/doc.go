// Package peerbench compares Trestle with the bare SDK and with other libraries, on the same
// requests and the same canned responses. Writes are also compared on package ddbtest.
//
//	go test -run '^$' -bench . -benchmem -count 6
//
// It is a separate module, so that the other libraries do not appear in a user's go.sum. Tests run
// each read and each write once and check its result.
package peerbench
