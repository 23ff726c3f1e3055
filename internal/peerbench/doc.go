// Package peerbench measures Trestle beside the bare SDK and beside other libraries, on the same requests and the same canned replies.
//
//	go test -run '^$' -bench . -benchmem -count 6
//
// It is a module of its own, so that no user's go.sum carries the peers. Every benchmark checks what it reads, once as a test.
package peerbench
