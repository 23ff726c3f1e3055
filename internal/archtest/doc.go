// Package archtest checks which package imports which, and that the documentation shows each example
// as a whole program. It has only tests. The table of the rooms is in rooms_test.go, one line for each
// room; a package without a line fails.
package archtest
