package value_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest/internal/value"
	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
)

func TestKeyBytes(t *testing.T) {
	t.Parallel()
	require.Equal(t, "xa\x00\xffb\x00\x01", string(value.AppendKey([]byte("x"), value.String("a\x00b"))))
	require.Equal(t, "\x00\x01", string(value.AppendKey(nil, value.Binary(""))))
	require.Equal(t, "xa\x00\xff", string(value.AppendKeyPrefix([]byte("x"), value.Binary("a\x00"))))
	require.Equal(t, "x", string(value.AppendKeyPrefix([]byte("x"), value.String(""))))
	for _, v := range []value.Value{nil, value.Null{}, value.Bool(true), value.List{}, value.Map{}, value.StringSet{"a"}} {
		require.Empty(t, value.AppendKey(nil, v))
		require.Empty(t, value.AppendKeyPrefix(nil, v))
	}
	require.Empty(t, value.AppendKeyPrefix(nil, value.Number{}))
}

// component appends a value to a key.
type component func(dst []byte, v value.Value) []byte

// naiveComponents are obvious encodings that are wrong.
var naiveComponents = map[string]component{
	"plain concatenation": func(dst []byte, v value.Value) []byte { return append(dst, rawText(v)...) },
	"an end that may be a part": func(dst []byte, v value.Value) []byte {
		if v.Kind() == value.KindNumber {
			return value.AppendKey(dst, v)
		}
		return append(append(dst, rawText(v)...), 0)
	},
	"numbers as text": func(dst []byte, v value.Value) []byte {
		if v.Kind() != value.KindNumber {
			return value.AppendKey(dst, v)
		}
		return value.AppendKey(dst, value.String(rawText(v)))
	},
}

func rawText(v value.Value) string {
	switch v := v.(type) {
	case value.String:
		return string(v)
	case value.Binary:
		return string(v)
	case value.Number:
		return v.String()
	}
	return ""
}

// keyValue returns a random value that is valid in a key.
func keyValue(r *rand.Rand, kind value.Kind) value.Value {
	switch kind {
	case value.KindString:
		return value.String(text(r))
	case value.KindBinary:
		return value.Binary(text(r))
	default:
		return value.Number{Decimal: decimalOf(r)}
	}
}

// tuple returns the values of a key, with the given kinds. It often shares values with like.
func tuple(r *rand.Rand, kinds []value.Kind, like []value.Value) []value.Value {
	var values []value.Value
	for i, kind := range kinds {
		v := keyValue(r, kind)
		if like != nil && r.IntN(2) == 0 {
			v = like[i]
		}
		values = append(values, v)
	}
	return values
}

func compareTuples(a, b []value.Value) int {
	for i := range a {
		if order, _ := value.Compare(a[i], b[i]); order != 0 {
			return order
		}
	}
	return 0
}

// checkKeys verifies that the keys of two tuples sort as the tuples do, component by component, and
// that neither is a prefix of the other.
func checkKeys(add component, a, b []value.Value) error {
	var x, y []byte
	for i := range a {
		x, y = add(x, a[i]), add(y, b[i])
	}
	want := compareTuples(a, b)
	switch {
	case bytes.Compare(x, y) != want:
		return fmt.Errorf("%q and %q sort by the keys %x and %x as %d", a, b, x, y, bytes.Compare(x, y))
	case want != 0 && (bytes.HasPrefix(x, y) || bytes.HasPrefix(y, x)):
		return fmt.Errorf("of %q and %q, one of the keys %x and %x begins with the other", a, b, x, y)
	}
	return nil
}

func TestKeyOrder(t *testing.T) {
	t.Parallel()
	r := testrand.New(t)
	refuted, equal := map[string]int{}, 0
	runs := testsize.Pick(10_000, 50_000, 1_000_000)
	for range runs {
		kinds := make([]value.Kind, 1+r.IntN(4))
		for i := range kinds {
			kinds[i] = []value.Kind{value.KindString, value.KindNumber, value.KindBinary}[r.IntN(3)]
		}
		a := tuple(r, kinds, nil)
		b := tuple(r, kinds, a)
		require.NoError(t, checkKeys(value.AppendKey, a, b))
		if compareTuples(a, b) == 0 {
			equal++
		}
		for name, naive := range naiveComponents {
			if checkKeys(naive, a, b) != nil {
				refuted[name]++
			}
		}
	}
	require.Greater(t, equal, runs/100)
	for name := range naiveComponents {
		require.Greater(t, refuted[name], runs/100, "the negative control: %s", name)
	}
}

// checkPrefix verifies that the encoded prefix matches exactly the strings that begin with it.
func checkPrefix(add component, s, prefix string) error {
	before := value.AppendKey(nil, value.String("before"))
	found := bytes.HasPrefix(value.AppendKey(before, value.String(s)), add(before, value.String(prefix)))
	if found != strings.HasPrefix(s, prefix) {
		return fmt.Errorf("the prefix %q and the text %q: %t", prefix, s, found)
	}
	return nil
}

func TestKeyPrefix(t *testing.T) {
	t.Parallel()
	r := testrand.New(t)
	found := 0
	refuted := map[string]int{}
	naive := map[string]component{
		"a whole component":   value.AppendKey,
		"the bytes unescaped": naiveComponents["plain concatenation"],
	}
	runs := testsize.Pick(10_000, 50_000, 1_000_000)
	for range runs {
		s, prefix := text(r), text(r)
		require.NoError(t, checkPrefix(value.AppendKeyPrefix, s, prefix))
		if strings.HasPrefix(s, prefix) {
			found++
		}
		for name, add := range naive {
			if checkPrefix(add, s, prefix) != nil {
				refuted[name]++
			}
		}
	}
	require.Greater(t, found, runs/100)
	for name := range naive {
		require.NotZero(t, refuted[name], "the negative control: %s", name)
	}
}

func FuzzKeyOrder(f *testing.F) {
	f.Add("a", "b\x00", "a\x00", "b")
	f.Add("", "\x00\x01", "\x00", "\xff")
	f.Fuzz(func(t *testing.T, a1, a2, b1, b2 string) {
		a := []value.Value{value.String(a1), value.Binary(a2)}
		b := []value.Value{value.String(b1), value.Binary(b2)}
		require.NoError(t, checkKeys(value.AppendKey, a, b))
		require.NoError(t, checkPrefix(value.AppendKeyPrefix, a1, b1))
	})
}
