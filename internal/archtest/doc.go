// Package archtest checks which package imports which, and that the documentation shows each
// example as a complete program. It has only tests. rooms_test.go has a table with one line per
// room. A package without a line fails the test.
package archtest
