//go:build race

package query_test

// raced says that the race detector is on, under which pools drop what they hold.
const raced = true
