// Package archtest proves which package may import which. It has only tests: the table of the rooms stands in rooms_test.go, one line
// a room, and a package without a line fails.
package archtest
