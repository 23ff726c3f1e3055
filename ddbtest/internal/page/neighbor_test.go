package page

import (
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// The neighbors of a value are valid and on the right side of it, close by.
func TestNeighbors(t *testing.T) {
	t.Parallel()
	text := func(s string) value.Value { return value.String(s) }
	for _, v := range []value.Value{
		text("a"), text("a\x00"), text("a\x01"), text("a\u0080"), text("a\ue000"), text("a\U00010000"), text("\U0010FFFF"),
		value.Binary("a"), value.Binary("\x01"), value.Binary("a\xff"), value.Binary("a\x00"),
		number("0"), number("1"), number("-1"), number("10"), number("99999999999999999999999999999999999999"), number("1E-130"), number("-1E-130"), number("0.1"),
	} {
		for before, want := range map[bool]int{true: -1, false: 1} {
			n := neighbor(v, before)
			require.NotNil(t, n, "%v", v)
			order, _ := value.Compare(n, v)
			require.Equal(t, want, order, "%v %v", v, before)
			if s, ok := n.(value.String); ok {
				require.True(t, utf8.ValidString(string(s)), "%v", v)
			}
		}
	}
	require.Nil(t, neighbor(text("\x00"), true))
	require.Nil(t, neighbor(value.Binary("\x00"), true))
	require.Nil(t, neighbor(number("-9.9999999999999999999999999999999999999E125"), true))
}
