// Package testsize sets the size of random tests: small on a developer's machine, larger in
// continuous integration, and largest in make fuzz.
package testsize

import "os"

// Pick returns the size for the environment: ci with TRESTLE_SIZE=ci, large with
// TRESTLE_SIZE=large, and small otherwise. Without large, it is ci.
func Pick(small, ci int, large ...int) int {
	switch size := os.Getenv("TRESTLE_SIZE"); {
	case size == "large" && len(large) > 0:
		return large[0]
	case size == "large", size == "ci":
		return ci
	default:
		return small
	}
}
