// Package testdriven runs tests whose cases are text. A file below testdata holds commands, each
// with its input and its expected output, so that a new case needs no Go code:
//
//	# A comment, up to the end of the line.
//	render template="ORDER#<id>" raw
//	id = 7
//	----
//	ORDER#7
//
// A command is a line with a name and arguments, which are words or have the form key=value. A
// value with spaces is a Go string literal. The input follows, up to the line "----", then the
// output, up to a blank line or the end of the file. Output with blank lines stands between two
// pairs of "----" lines. Both input and output may be empty.
//
// A test gives a function that runs one command and returns its output:
//
//	testdriven.Walk(t, "testdata", func(t *testing.T, file string) {
//		var last string // state of this file
//		testdriven.Run(t, file, func(c *testdriven.Case) string { … })
//	})
//
// With the flag -update, or with TRESTLE_UPDATE=1 in the environment, Run writes the actual output
// into the files. The package defines that flag, so a package that uses it defines none of its own.
package testdriven
