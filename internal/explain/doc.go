// Package explain describes what a planned operation would do and estimates its cost, before
// anything is sent. It does no I/O, and its explanations contain no values of items.
package explain
