package write

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/keys"
)

// TestSum checks the limits of every type, and that an absent number counts as zero.
func TestSum(t *testing.T) {
	t.Parallel()
	var absent keys.Value
	for name, test := range map[string]struct {
		old, by, want keys.Value
		err           error
	}{
		"int":            {keys.Int(-3), keys.Int(5), keys.Int(2), nil},
		"int, absent":    {absent, keys.Int(5), keys.Int(5), nil},
		"int, end":       {keys.Int(math.MaxInt64 - 1), keys.Int(1), keys.Int(math.MaxInt64), nil},
		"int, over":      {keys.Int(math.MaxInt64), keys.Int(1), absent, errOverflow},
		"int, beginning": {keys.Int(math.MinInt64 + 1), keys.Int(-1), keys.Int(math.MinInt64), nil},
		"int, under":     {keys.Int(math.MinInt64), keys.Int(-1), absent, errOverflow},
		"uint":           {keys.Uint(3), keys.Uint(5), keys.Uint(8), nil},
		"uint, absent":   {absent, keys.Uint(5), keys.Uint(5), nil},
		"uint, end":      {keys.Uint(math.MaxUint64 - 1), keys.Uint(1), keys.Uint(math.MaxUint64), nil},
		"uint, over":     {keys.Uint(math.MaxUint64), keys.Uint(1), absent, errOverflow},
		"float":          {keys.Float(0.5), keys.Float(-2), keys.Float(-1.5), nil},
		"text":           {keys.Text("a"), keys.Text("b"), absent, errNotNumber},
	} {
		v, err := sum(test.old, test.by)
		require.ErrorIs(t, err, test.err, name)
		require.True(t, v.Equal(test.want), name)
	}
}
