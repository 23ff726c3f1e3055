package keys_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/keys"
)

// TestZeroTemplate checks that a template that is not compiled returns errors.
func TestZeroTemplate(t *testing.T) {
	t.Parallel()
	var zero keys.Template
	for name, refused := range map[string]func(vals ...keys.Value) error{
		"Render": func(vals ...keys.Value) error { _, err := zero.Render(vals...); return err },
		"Append": func(vals ...keys.Value) error { _, err := zero.Append(nil, vals); return err },
		"Prefix": func(vals ...keys.Value) error { _, err := zero.Prefix(vals...); return err },
		"All":    func(vals ...keys.Value) error { _, err := zero.All(vals...); return err },
		"Range":  func(vals ...keys.Value) error { _, err := zero.Range(vals, keys.Eq, keys.Int(1)); return err },
	} {
		for _, vals := range [][]keys.Value{nil, {keys.Text("a")}, {keys.Text("a"), {}}} {
			var fault *keys.ValueError
			require.ErrorAs(t, refused(vals...), &fault, name)
			require.ErrorIs(t, fault, keys.ErrInvalid, name)
		}
	}
	for _, key := range []string{"", "a", "#"} {
		_, err := zero.Parse(key)
		require.ErrorIs(t, err, keys.ErrForeign)
	}
	require.Empty(t, zero.String())
	require.Empty(t, zero.Type())
	require.Empty(t, zero.Fields())
	require.False(t, zero.Native())
	require.False(t, zero.Lossless(0))
}

// TestZeroPair checks that a pair that renders no key does not clash.
func TestZeroPair(t *testing.T) {
	t.Parallel()
	made, err := keys.Compile("A#B", keys.Options{})
	require.NoError(t, err)
	full, bare := keys.Pair{Partition: made, Sort: made}, keys.Pair{Partition: made}
	_, clash := keys.Overlap(full, full)
	require.True(t, clash)
	for name, pair := range map[string]keys.Pair{
		"zero":                 {},
		"no partition":         {Sort: made},
		"zero template":        {Partition: new(keys.Template)},
		"zero partition":       {Partition: new(keys.Template), Sort: made},
		"zero sort":            {Partition: made, Sort: new(keys.Template)},
		"two zero, not absent": {Partition: new(keys.Template), Sort: new(keys.Template)},
	} {
		for _, other := range []keys.Pair{pair, full, bare} {
			_, clash := keys.Overlap(pair, other)
			require.False(t, clash, name)
			_, clash = keys.Overlap(other, pair)
			require.False(t, clash, name)
		}
	}
}
