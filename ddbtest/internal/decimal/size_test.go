package decimal_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest/internal/decimal"
	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
)

// The sizes were measured at the service, to the byte, at the size limit of an item.
func TestSize(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{
		"0": 1, "-0": 1, "1": 2, "12": 2, "123": 3, "1234": 3, "123456": 4, "12345678901234567890123456789012345678": 20,
		"0042": 2, "100": 2, "1010": 3, "1E125": 2, "1E-100": 2, "0.0000001": 2, "0.15": 2, "15": 2,
		"1.5": 3, "1.2": 3, "1.200": 3, "1.234": 4, "3.14159": 5, "100.5": 4, "-42": 3, "-5": 3,
	} {
		require.Equal(t, want, parse(t, text).Size(), text)
	}
}

// sizeOf is the documented rule, applied to the text.
func sizeOf(d decimal.Decimal) int {
	unsigned := strings.TrimPrefix(d.String(), "-")
	whole, fraction, _ := strings.Cut(unsigned, ".")
	whole = strings.TrimLeft(whole, "0")
	if fraction == "" {
		whole = strings.TrimRight(whole, "0")
	}
	if whole == "" {
		fraction = strings.TrimLeft(fraction, "0")
	}
	size := 1 + (len(whole)+1)/2 + (len(fraction)+1)/2
	if d.Sign() < 0 {
		size++
	}
	return size
}

func TestSizeRandom(t *testing.T) {
	t.Parallel()
	r := testrand.New(t)
	documented := 0
	for _, d := range numbers(r, testsize.Pick(5_000, 25_000, 500_000)) {
		want := sizeOf(d)
		require.Equal(t, want, d.Size(), d.String())
		significant := len(strings.Trim(strings.NewReplacer("-", "", ".", "").Replace(d.String()), "0"))
		if 1+significant/2 != want {
			documented++
		}
	}
	require.NotZero(t, documented, "the negative control: a byte for every two digits and one more")
}
