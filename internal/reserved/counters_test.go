package reserved_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/internal/reserved"
)

// The keys of counters are stored, so they never change.
func TestCounterKeys(t *testing.T) {
	t.Parallel()
	partition, sort, number := reserved.CounterKey("votes", "a#1", "007")
	require.Equal(t, "$U#count#votes#a$H1#007", partition)
	require.Equal(t, "$U#2d483431", sort)
	require.Equal(t, "759706673", number)
	partition, _, _ = reserved.MarkKey("vo#tes", "a", "k#1")
	require.Equal(t, "$U#mark#vo$Htes#a#k$H1", partition)
	require.Equal(t, "$U#event#votes#a#eu-west-1#000", reserved.EventPartition("votes", "a", "eu-west-1#000"))
	require.Equal(t, "$U#names#votes#07", reserved.NamesPartition("votes", 7))
	for _, key := range []string{partition, reserved.EventPartition("v", "a", "0"), reserved.NamesPartition("v", 0)} {
		require.True(t, reserved.Is(key))
	}
}
