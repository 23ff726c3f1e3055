package decimal_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest/internal/decimal"
	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
)

// The encoding may change, but it must stay short.
func TestKeyLength(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{
		"0": 2, "1": 2, "-1": 2, "42": 2, "100": 2, "101": 3, "0.01": 2, "1795273061341": 8, "1e125": 2, least: 2, most: 20,
		"1234567890.1234567890123456789012345678": 20, "12.345678901234567890123456789012345678": 20, "1.2345678901234567890123456789012345678": 21,
		"123.45678901234567890123456789012345678": 21, "-9.9999999999999999999999999999999999999": 21,
	} {
		require.Len(t, parse(t, text).AppendKey(nil), want, text)
	}
	require.Equal(t, "x", string(decimal.FromInt(3).AppendKey([]byte("x"))[:1]))
}

// encoding encodes a number as a key.
type encoding func(d decimal.Decimal) []byte

func ordered(d decimal.Decimal) []byte { return d.AppendKey(nil) }

// checkKeys verifies that the keys of two numbers sort as the numbers do, and that neither is a
// prefix of the other.
func checkKeys(key encoding, a, b decimal.Decimal) error {
	x, y := key(a), key(b)
	switch {
	case bytes.Compare(x, y) != a.Cmp(b):
		return fmt.Errorf("%s and %s sort by the keys %x and %x as %d", a, b, x, y, bytes.Compare(x, y))
	case a != b && (bytes.HasPrefix(x, y) || bytes.HasPrefix(y, x)):
		return fmt.Errorf("of %s and %s, one of the keys %x and %x begins with the other", a, b, x, y)
	}
	return nil
}

// naiveKeys are obvious encodings that are wrong.
var naiveKeys = map[string]encoding{
	"text": func(d decimal.Decimal) []byte { return []byte(d.String()) },
	"text of one width": func(d decimal.Decimal) []byte {
		return []byte(fmt.Sprintf("%0130s", d))
	},
	"floating point": func(d decimal.Decimal) []byte {
		f, _ := strconv.ParseFloat(d.String(), 64)
		bits := math.Float64bits(f)
		if f < 0 {
			bits = ^bits
		} else {
			bits |= 1 << 63
		}
		return binary.BigEndian.AppendUint64(nil, bits)
	},
	"no end": func(d decimal.Decimal) []byte {
		sign, digits := byte(1), strings.TrimPrefix(d.String(), "-")
		if d.Sign() < 0 {
			return nil // positive numbers suffice to refute it
		}
		point := strings.IndexByte(digits+".", '.')
		return append([]byte{sign, byte(point)}, strings.TrimRight(digits, "0")...)
	},
}

func TestKeyOrder(t *testing.T) {
	t.Parallel()
	r := testrand.New(t)
	refuted := map[string]int{}
	pool := numbers(r, testsize.Pick(200, 600, 3_000))
	for _, a := range pool {
		for _, b := range pool[:100] {
			require.NoError(t, checkKeys(ordered, a, b))
			for name, naive := range naiveKeys {
				if checkKeys(naive, a, b) != nil {
					refuted[name]++
				}
			}
		}
		require.LessOrEqual(t, len(ordered(a)), 21)
	}
	for name := range naiveKeys {
		require.NotZero(t, refuted[name], "the negative control: %s", name)
	}
}

func FuzzKeyOrder(f *testing.F) {
	f.Add("1", "1.0")
	f.Add("-1", "-10")
	f.Add("0", least)
	f.Add("12", "1200000000000000000000000000000000000.1")
	f.Fuzz(func(t *testing.T, x, y string) {
		a, errA := decimal.Parse(x)
		b, errB := decimal.Parse(y)
		if errA == nil && errB == nil {
			require.Equal(t, rational(a).Cmp(rational(b)), a.Cmp(b))
			require.NoError(t, checkKeys(ordered, a, b))
		}
	})
}
