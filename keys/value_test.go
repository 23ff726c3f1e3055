package keys_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/internal/keyspace"
	"github.com/trestledb/trestle/keys"
)

// TestAbsent checks that empty text, nil and the zero time are absent, and that 0 and false are
// present.
func TestAbsent(t *testing.T) {
	t.Parallel()
	for i, v := range []keys.Value{{}, keys.Text(""), keys.Time(time.Time{}), keys.Bytes(nil), keys.Bytes([]byte{})} {
		require.True(t, v.IsAbsent(), i)
		require.Zero(t, v.Kind())
	}
	for i, v := range []keys.Value{keys.Int(0), keys.Uint(0), keys.Float(0), keys.Bool(false), keys.Text("\x00"), keys.Bytes([]byte{0})} {
		require.False(t, v.IsAbsent(), i)
	}
}

// TestValue checks that the accessor of a value's kind returns its content, and that the others
// return zero values.
func TestValue(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 8, 1, 9, 30, 29, 5, time.FixedZone("", 7200))
	source := []byte("bytes")
	vals := map[keys.Kind]keys.Value{
		keys.KindText: keys.Text("text"), keys.KindInt: keys.Int(-5), keys.KindUint: keys.Uint(5), keys.KindFloat: keys.Float(1.5),
		keys.KindTime: keys.Time(at), keys.KindBool: keys.Bool(true), keys.KindBytes: keys.Bytes(source),
	}
	source[0] = 'B'
	for kind, v := range vals {
		require.Equal(t, kind, v.Kind())
		require.Equal(t, kind == keys.KindText, v.Text() == "text")
		require.Equal(t, kind == keys.KindInt, v.Int() == -5)
		require.Equal(t, kind == keys.KindUint, v.Uint() == 5)
		require.Equal(t, kind == keys.KindFloat, v.Float() == 1.5)
		require.Equal(t, kind == keys.KindTime, v.Time().Equal(at))
		require.Equal(t, kind == keys.KindBool, v.Bool())
		require.Equal(t, kind == keys.KindBytes, string(v.Bytes()) == "bytes")
		for other, w := range vals {
			require.Equal(t, kind == other, v.Equal(w), "%s, %s", kind, other)
		}
	}
	require.Equal(t, time.UTC, vals[keys.KindTime].Time().Location())
	require.True(t, keys.Float(0).Equal(keys.Float(-1/inf())))
	require.Equal(t, "unknown kind", keys.Kind(99).String())
	require.Equal(t, "unknown operator", keyspace.Op(99).String())
}

func inf() float64 {
	var zero float64
	return 1 / zero
}
