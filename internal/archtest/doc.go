// Package archtest checks which package imports which, that the documentation shows each example as
// a complete program, that links of Markdown pages lead to a file and a heading, that comments have
// at most 100 columns, and that the code is valid on other systems. It has only tests.
// rooms_test.go has a table with one line per room. A package without a line fails the test.
package archtest
