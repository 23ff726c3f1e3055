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

func TestOneEdit(t *testing.T) {
	t.Parallel()
	for pair, want := range map[[2]string]bool{
		{"abc", "abc"}: false, {"", ""}: false, {"a", ""}: true, {"", "a"}: true, {"abc", "bac"}: true, {"abc", "acb"}: true, {"abc", "cba"}: false,
		{"abc", "abd"}: true, {"abc", "xbc"}: true, {"abc", "xyc"}: false, {"abc", "xabc"}: true, {"abc", "abcx"}: true, {"abc", "axbxc"}: false,
	} {
		require.Equal(t, want, oneEdit(pair[0], pair[1]), "%q", pair)
		require.Equal(t, want, oneEdit(pair[1], pair[0]), "%q", pair)
	}
}
