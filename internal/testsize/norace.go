//go:build !race

package testsize

// Race reports whether the race detector is enabled.
const Race = false
