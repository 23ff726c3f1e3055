package reserved_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/internal/reserved"
)

// The keys of chunks and intents are stored, so they never change.
func TestDocumentKeys(t *testing.T) {
	t.Parallel()
	in := reserved.Chunks("info", "a")
	require.Equal(t, "P85GUpX2jSh9awze", in)
	partition, sort := reserved.ChunkKey(in, 7, "ID", 3)
	require.Equal(t, "$U#chunk#P85GUpX2jSh9awze#00007", partition)
	require.Equal(t, "$U#ID#00003", sort)
	require.True(t, reserved.Is(partition))
	require.Equal(t, "$U#intent#3fce465295f68d287d6b0cdedd4a5b4fde154c2b953df06d8088394c5ccd3764", reserved.IntentPartition("info", "a"))
	require.NotEqual(t, reserved.Chunks("inf", "oa"), in)
}
