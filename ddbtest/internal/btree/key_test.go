package btree

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/internal/testsize"
)

func TestKeyOrder(t *testing.T) {
	t.Parallel()
	testsize.SkipRace(t)
	r := seeded(t)
	disagreements := 0
	for range 50_000 {
		a, b := someKeys(r)[0], someKeys(r)[0]
		require.Equal(t, a < b, newKey(a).less(newKey(b)), "%q and %q", a, b)
		require.Equal(t, a == b, newKey(a) == newKey(b), "%q and %q", a, b)
		if (a < b) != (newKey(a).head < newKey(b).head) {
			disagreements++
		}
	}
	// Negative control: heads alone are not enough.
	require.Positive(t, disagreements)
}
