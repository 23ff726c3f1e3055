// Package exec is the executor of operations. It sends requests, limits and records each attempt,
// and reports whether a write was applied. All I/O on items uses this package: it handles retries,
// outcomes, the clock and the observer.
package exec
