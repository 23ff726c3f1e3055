//go:build !race

package keys_test

const raced = false
