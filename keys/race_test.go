//go:build race

package keys_test

// raced reports whether the race detector is enabled. With it, pools drop their buffers.
const raced = true
