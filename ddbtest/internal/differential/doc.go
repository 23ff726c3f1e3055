// Package differential holds one engine to another: it runs random tables and operations on both, side by side through the SDK, and names the
// first thing in which they differ, with a short sequence of operations that shows it.
//
// A [history] is made of a seed before anything runs, so that it can be run again, whole or in parts. Its operations come from a small world of
// keys, names and values that meet often. What may rightly differ stands in one table, explained.
package differential
