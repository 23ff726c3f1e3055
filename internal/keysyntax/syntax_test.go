package keysyntax

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestClosest(t *testing.T) {
	t.Parallel()
	names := []string{"lower", "s", "day", "month", "Basic"}
	for word, want := range map[string]string{
		"lowr": "lower", "lowwer": "lower", "lover": "lower", "lwoer": "lower", "LOWER": "lower", "lowerer": "lower", "lowre": "lower",
		"Days": "day", "dya": "day", "daily": "", "S": "s", "sec": "", "": "", "x": "", "mo": "", "basic": "Basic", "basik": "Basic", "tag": "",
		"mönth": "month", "lowers€": "lower", "wolre": "",
	} {
		require.Equal(t, want, Closest(word, names...), "%q", word)
	}
	require.Empty(t, Closest("lower"))
}
