// Package testrand gives random tests their seeds. A test logs its seed, so that the log of a
// failure shows it:
//
//	--- FAIL: TestOverlap
//	    overlap_test.go:150: TRESTLE_SEED=4711 repeats this test
//
// To repeat the failure, run that test with the variable:
//
//	TRESTLE_SEED=4711 go test -run '^TestOverlap$' ./keys
//
// The size of the test, TRESTLE_SIZE, must be the same too. A fuzz target repeats a failure with
// the file that go test writes.
package testrand

import (
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
)

const variable = "TRESTLE_SEED"

// New returns a random source with the seed of [Seed]. A test that needs several sources calls Seed
// once and derives them, because with TRESTLE_SEED all sources of New are the same.
func New(t testing.TB) *rand.Rand {
	t.Helper()
	return rand.New(rand.NewPCG(Seed(t), 0))
}

// Seed logs and returns a new seed, or TRESTLE_SEED if it is set.
func Seed(t testing.TB) uint64 {
	t.Helper()
	seed := rand.Uint64()
	if text := os.Getenv(variable); text != "" {
		var err error
		if seed, err = strconv.ParseUint(text, 10, 64); err != nil {
			t.Fatalf("%s is not a number from 0 to 18446744073709551615", variable)
		}
	}
	t.Logf("%s=%d repeats this test", variable, seed)
	return seed
}
