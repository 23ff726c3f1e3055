// Package testsize sets the size of random tests. The environment variable TRESTLE_SIZE selects it:
//
//   - small, without the variable: enough to find most defects, in seconds;
//   - ci, in continuous integration: what is needed to find the test's mutants, with a miss in less
//     than one of a million runs where that was measured;
//   - fuzz, in make fuzz: as large as patience allows.
package testsize

import (
	"os"
	"testing"
)

// Pick returns the size for TRESTLE_SIZE. Without a third size, fuzz is as large as ci.
func Pick(small, ci int, fuzz ...int) int {
	switch os.Getenv("TRESTLE_SIZE") {
	case "fuzz":
		if len(fuzz) > 0 {
			return fuzz[0]
		}
		return ci
	case "ci":
		return ci
	default:
		return small
	}
}

// Sequential is Pick for a test without concurrency, in which the race detector finds little. Under
// the race detector it returns the first size instead of small and ci.
func Sequential(race, small, ci int, fuzz ...int) int {
	if Race && os.Getenv("TRESTLE_SIZE") != "fuzz" {
		return race
	}
	return Pick(small, ci, fuzz...)
}

// SkipRace skips a slow test without concurrency under the race detector, which would find nothing
// in it.
func SkipRace(t testing.TB) {
	t.Helper()
	if Race {
		t.Skip("without concurrency, so the race detector finds nothing")
	}
}
