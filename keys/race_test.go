//go:build race

package keys_test

// raced says that the race detector is on, under which pools drop what they hold.
const raced = true
