// Package testsize picks how large the random tests are: small on a developer's machine, large in continuous integration.
package testsize

import "os"

// Pick returns ci where the environment has TRESTLE_SIZE=ci, and small otherwise.
func Pick(small, ci int) int {
	if os.Getenv("TRESTLE_SIZE") == "ci" {
		return ci
	}
	return small
}
