// Package compilecost measures what an entity costs the Go compiler: CPU time, memory and program
// size. It has only tests and benchmarks.
package compilecost
