// Package call is the one executor: it sends operations, bounds and records every attempt, and tells for certain, or as unknown, what
// came of a write. All I/O on items goes through it, so retries, outcomes, the clock and the observer have one home.
package call
