//go:build race

package query_test

// raced reports whether the race detector is enabled. With it, sync.Pool randomly drops items.
const raced = true
