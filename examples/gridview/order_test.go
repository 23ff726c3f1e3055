package main

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
)

// The sort strings of random values sort like the values, and by number if the values are equal.
// Values joined by a plain delimiter fail the same check.
func TestSortKeysKeepTheOrderOfValues(t *testing.T) {
	t.Parallel()
	rng := testrand.New(t)
	escaped := func(v TextValue) string {
		item, err := Texts.Encode(&v)
		require.NoError(t, err)
		return textOf(item["Sort"])
	}
	plain := func(v TextValue) string { return fmt.Sprintf("%s#%06d", v.Value, v.Number) }
	wrong := 0
	for range testsize.Pick(20_000, 40_000, 500_000) {
		a, b := randomValue(rng), randomValue(rng)
		want := cmp.Or(strings.Compare(a.Value, b.Value), cmp.Compare(a.Number, b.Number))
		require.Equal(t, want, strings.Compare(escaped(a), escaped(b)), "%q %d, %q %d", a.Value, a.Number, b.Value, b.Number)
		if strings.Compare(plain(a), plain(b)) != want {
			wrong++
		}
	}
	require.Positive(t, wrong, "the control must fail: values joined by the delimiter sort wrong")
}

func randomValue(rng *rand.Rand) TextValue {
	alphabet := []rune{0, 1, ' ', '!', '"', '#', '$', '%', '0', 'A', 'B', 0xFFFF, 0x10FFFF}
	var text strings.Builder
	for range 1 + rng.IntN(4) {
		text.WriteRune(alphabet[rng.IntN(len(alphabet))])
	}
	return TextValue{IssueID: "i", FieldID: "f", Number: rng.IntN(12) * 90_000, Value: text.String()}
}
