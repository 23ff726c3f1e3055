package wire_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest/internal/wire"
)

// TestWithoutValues checks that texts keep everything except values.
func TestWithoutValues(t *testing.T) {
	t.Parallel()
	for message, want := range map[string]string{
		"": "",
		"One or more parameter values were invalid: Missing the key pk in the item":                     "One or more parameter values were invalid: Missing the key pk in the item",
		"The parameter cannot be converted to a numeric value: a\nb":                                    "The parameter cannot be converted to a numeric value: …",
		"One or more parameter values were invalid: Input collection [a], [a], a] contains duplicates.": "One or more parameter values were invalid: Input collection […] contains duplicates.",
		"1 validation error detected: Value '{a=' at 'b'}' at 'item' failed to satisfy constraint: x":   "1 validation error detected: Value '…' at 'item' failed to satisfy constraint: x",
	} {
		require.Equal(t, want, wire.WithoutValues(message))
	}
}
