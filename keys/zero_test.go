package keys_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/internal/keyspace"
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
		"All":    func(vals ...keys.Value) error { _, err := zero.Range(vals, keyspace.All); return err },
		"Range":  func(vals ...keys.Value) error { _, err := zero.Range(vals, keyspace.Eq, keys.Int(1)); return err },
	} {
		for _, vals := range [][]keys.Value{nil, {keys.Text("a")}, {keys.Text("a"), {}}} {
			var issue *keys.ValueError
			require.ErrorAs(t, refused(vals...), &issue, name)
			require.ErrorIs(t, issue, keys.ErrInvalid, name)
		}
	}
	for _, key := range []string{"", "a", "#"} {
		_, err := zero.Parse(key)
		require.ErrorIs(t, err, keys.ErrMismatch)
	}
	require.Empty(t, zero.String())
	require.Empty(t, zero.Type())
	require.Empty(t, zero.Fields())
	require.False(t, zero.Native())
	require.False(t, zero.Lossless(0))
}

// TestZeroCompositeKey checks that a key without a template does not overlap.
func TestZeroCompositeKey(t *testing.T) {
	t.Parallel()
	made, zero := compile(t, "A#B", keys.Options{}).Space(), (&keys.Template{}).Space()
	full, bare := keyspace.CompositeKey{Partition: made, Sort: made}, keyspace.CompositeKey{Partition: made}
	_, found := keyspace.FindOverlap(full, full)
	require.True(t, found)
	for name, key := range map[string]keyspace.CompositeKey{
		"zero":                 {},
		"no partition":         {Sort: made},
		"zero template":        {Partition: zero},
		"zero partition":       {Partition: zero, Sort: made},
		"zero sort":            {Partition: made, Sort: zero},
		"nil template":         {Partition: (*keys.Template)(nil).Space()},
		"two zero, not absent": {Partition: zero, Sort: zero},
	} {
		for _, other := range []keyspace.CompositeKey{key, full, bare} {
			_, found := keyspace.FindOverlap(key, other)
			require.False(t, found, name)
			_, found = keyspace.FindOverlap(other, key)
			require.False(t, found, name)
		}
	}
}
