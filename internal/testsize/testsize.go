// Package testsize sets the size of random tests: small on a developer's machine, large in
// continuous integration.
package testsize

import "os"

// Pick returns ci if the environment has TRESTLE_SIZE=ci, and small otherwise.
func Pick(small, ci int) int {
	if os.Getenv("TRESTLE_SIZE") == "ci" {
		return ci
	}
	return small
}
