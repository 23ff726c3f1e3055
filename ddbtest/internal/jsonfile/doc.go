// Package jsonfile reads JSON files and reports what is wrong with them: the file, the line, the
// path, and what to do. [Faults] collects everything that is wrong.
package jsonfile
