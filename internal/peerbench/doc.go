// Package peerbench compares Trestle with the bare SDK and with other libraries, on the same
// requests and the same canned responses.
//
//	go test -run '^$' -bench . -benchmem -count 6
//
// It is a separate module, so that the other libraries do not appear in a user's go.sum. A test
// runs each read benchmark once and checks its result.
package peerbench
