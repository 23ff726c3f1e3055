package testrand_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/internal/testrand"
)

// recorder records the log and the failure of a test.
type recorder struct {
	testing.TB
	log    []string
	failed bool
}

func (*recorder) Helper() {}

func (r *recorder) Logf(format string, args ...any) {
	r.log = append(r.log, fmt.Sprintf(format, args...))
}

func (r *recorder) Fatalf(string, ...any) { r.failed = true }

// Not parallel: the test sets the environment.
func TestLoggedSeedRepeatsTheNumbers(t *testing.T) {
	t.Setenv("TRESTLE_SEED", "")
	first, other := &recorder{}, &recorder{}
	want := testrand.New(first).Uint64()
	require.NotEqual(t, want, testrand.New(other).Uint64(), "a new seed each time")
	require.Len(t, first.log, 1)
	var seed string
	_, err := fmt.Sscanf(first.log[0], "TRESTLE_SEED=%s repeats this test", &seed)
	require.NoError(t, err)

	t.Setenv("TRESTLE_SEED", seed)
	again := &recorder{}
	require.Equal(t, want, testrand.New(again).Uint64())
	require.Equal(t, first.log, again.log)
}

// Not parallel: the test sets the environment.
func TestInvalidSeedFails(t *testing.T) {
	for _, text := range []string{"x", "-1", "1.5", "18446744073709551616"} {
		t.Setenv("TRESTLE_SEED", text)
		r := &recorder{}
		testrand.Seed(r)
		require.True(t, r.failed, text)
	}
}
