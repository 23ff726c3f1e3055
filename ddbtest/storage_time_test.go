package ddbtest_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest"
)

// Times after 2262, which do not fit into nanoseconds of 64 bits, are stored too.
func TestStorageFarTimes(t *testing.T) {
	t.Parallel()
	m := newMemory()
	db := setup(t, ddbtest.Options{Storage: m})
	db.Advance(280 * 365 * 24 * time.Hour)
	require.NoError(t, put(t.Context(), db.Client()))
	now := db.Now()
	require.Greater(t, now.Year(), 2262)
	again := reopen(t, m)
	require.WithinDuration(t, now, again.Now(), time.Hour)
	require.Equal(t, entriesOf(db), entriesOf(again))
}
