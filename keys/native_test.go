package keys_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/internal/keyspace"
	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
	"github.com/trestledb/trestle/keys"
)

// attributeCases are the formats of whole N and B attributes.
var attributeCases = []struct {
	attr keys.AttrType
	formatCase
}{
	{keys.N, formatCase{keys.KindInt, "", true, anyInt, identity}},
	{keys.N, formatCase{keys.KindUint, "", true, anyUint, identity}},
	{keys.N, formatCase{keys.KindFloat, "", true, smallFloat, identity}},
	{keys.N, formatCase{keys.KindTime, "unix", true, func(r *rand.Rand) keys.Value {
		return keys.Time(timeModels["s"](anyTime(r, 0).Time()))
	}, func(v keys.Value) keys.Value { return keys.Time(timeModels["s"](v.Time())) }}},
	{keys.B, formatCase{keys.KindBytes, "", true, anyBytes, identity}},
}

// smallFloat returns a DynamoDB number at the edges of the range or between them.
func smallFloat(r *rand.Rand) keys.Value {
	if r.IntN(3) == 0 {
		return keys.Float(pick(r, 0, math.Copysign(0, -1), 1e-130, -1e-130, 1.1e-130, 9.9e125, -9.9e125))
	}
	return keys.Float(float64(r.IntN(2000)-1000) * pick(r, 1, 0.1, 1e-9, 1e21, 1e100))
}

// TestAttributes checks that whole N and B attributes compare exactly and parse back.
func TestAttributes(t *testing.T) {
	t.Parallel()
	testsize.SkipRace(t)
	for _, c := range attributeCases {
		t.Run(fmt.Sprintf("%s %s", c.attr, c.formatCase), func(t *testing.T) {
			t.Parallel()
			r := testrand.New(t)
			template := compile(t, placeholder(0, c.formatCase), keys.Options{Type: c.attr, Kind: kinds([]formatCase{c.formatCase})})
			require.True(t, template.Native())
			require.Equal(t, c.attr, template.Type())
			misordered := 0
			for range testsize.Pick(2000, 5_000, 100_000) {
				v, w := c.value(r), c.value(r)
				key, err := template.Render(v)
				require.NoError(t, err)
				back, err := template.Parse(key)
				require.NoError(t, err)
				require.True(t, back[0].Equal(v))
				for op := keyspace.Eq; op <= keyspace.Ge; op++ {
					got, err := template.Range(nil, op, w)
					require.NoError(t, err)
					q := comparison{op: op, operands: []keys.Value{w}}
					want := q.matches([]keys.Value{v})
					require.Equal(t, want, got.Contains(key), "%q %s %q", key, op, got.Lo)
					if got.Number = false; got.Contains(key) != want {
						misordered++
					}
				}
			}
			require.Equal(t, c.attr == keys.N, misordered > 0, "the control: numbers do not sort as text")
		})
	}
}

// TestDecimals checks that the notations that DynamoDB may use for a number are equal.
func TestDecimals(t *testing.T) {
	t.Parallel()
	hundred := keyspace.Range{Op: keyspace.Eq, Number: true, Lo: "100"}
	for _, same := range []string{"100", "1E+2", "1e2", "100.0", "+100", "0100"} {
		require.True(t, hundred.Contains(same), same)
	}
	for _, other := range []string{"", "x", "1e", "1e2e2", "0x64", "1/2", "1e99999999999", strings.Repeat("9", 400), "99.99999999999999999999999999999999999"} {
		require.False(t, hundred.Contains(other), other)
	}
	require.False(t, keyspace.Range{Op: keyspace.Gt, Number: true, Lo: "x"}.Contains("y"))
}

// TestNamedFormats checks that text that contradicts the declaration of a named format is an error.
func TestNamedFormats(t *testing.T) {
	t.Parallel()
	say := func(f keys.Format) *keys.Template {
		f.Encode = func(v keys.Value) (string, error) { return strings.TrimPrefix(v.Text(), "-"), nil }
		f.Decode = func(text string) (keys.Value, error) { return keys.Text(text), nil }
		return compile(t, "A#<a:say>", keys.Options{Formats: map[string]keys.Format{"say": f}})
	}
	for text, template := range map[string]*keys.Template{
		"-": say(keys.Format{}), "\xff": say(keys.Format{}), "abc": say(keys.Format{Width: 2}), "xyz": say(keys.Format{Alphabet: "ab"}),
	} {
		_, err := template.Render(keys.Text(text))
		require.ErrorIs(t, err, keys.ErrInvalid, text)
		_, err = template.Parse("A#" + text)
		if text != "-" {
			require.ErrorIs(t, err, keys.ErrMismatch, text)
		}
	}
	key, err := say(keys.Format{Width: 2, Alphabet: "# "}).Render(keys.Text("# "))
	require.NoError(t, err)
	require.Equal(t, "A#$H$E", key)
	_, err = say(keys.Format{}).Range(nil, keyspace.Gt, keys.Text("x"))
	require.ErrorIs(t, err, keys.ErrOperator, "order is not promised")
	_, err = say(keys.Format{Ordered: true}).Range(nil, keyspace.Gt, keys.Text("-x"))
	require.ErrorIs(t, err, keys.ErrNotExact, "it does not read back")
}

// TestNamedFormatsOverlap checks that a named format can write any text unless it declares its
// alphabet.
func TestNamedFormatsOverlap(t *testing.T) {
	t.Parallel()
	total := compile(t, "V#TttTT", keys.Options{})
	same := map[string]bool{"": true, "Tt": true, "Ttoal": true}
	for _, alphabet := range []string{"", "T", "Tt", "Ttoal", "0123456789", "Aa", " #"} {
		for _, width := range []int{0, 5} {
			f := keys.Format{
				Alphabet: alphabet, Width: width,
				Encode: func(v keys.Value) (string, error) { return v.Text(), nil },
				Decode: func(text string) (keys.Value, error) { return keys.Text(text), nil },
			}
			template := compile(t, "V#<a:f>", keys.Options{Formats: map[string]keys.Format{"f": f}})
			overlap, ok := inOnePartition(t)(template, total)
			require.True(t, ok, "begins_with V# reads it too")
			require.Equal(t, same[alphabet], overlap.Kind == keyspace.SameKey, "%q %d", alphabet, width)
			verifyOverlap(t, overlap, template, total)
		}
	}
}

// TestLayoutFunctions checks that Encode and Decode of a layout work without a template.
func TestLayoutFunctions(t *testing.T) {
	t.Parallel()
	layout, err := keys.Layout("2006-01-02T150405")
	require.NoError(t, err)
	text, err := layout.Encode(keys.Time(hiredAt))
	require.NoError(t, err)
	require.Equal(t, "2026-08-01T093000", text)
	back, err := layout.Decode(text)
	require.NoError(t, err)
	require.True(t, back.Equal(keys.Time(hiredAt)))
	_, err = layout.Decode("2026-08-01T09:30:00")
	require.ErrorIs(t, err, keys.ErrMismatch)
	for _, v := range []keys.Value{keys.Text("x"), {}, keys.Time(time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC))} {
		_, err = layout.Encode(v)
		require.Error(t, err)
	}
}

// TestOverlapTypes checks that templates of different attribute types do not overlap, and that a
// missing sort key matches any sort key.
func TestOverlapTypes(t *testing.T) {
	t.Parallel()
	bytesKind := keys.Options{Type: keys.B, Kind: func(string) (keys.Kind, bool) { return keys.KindBytes, true }}
	number := keys.Options{Type: keys.N, Kind: func(string) (keys.Kind, bool) { return keys.KindInt, true }}
	text, bin, n := compile(t, "<a>", keys.Options{}).Space(), compile(t, "<a>", bytesKind).Space(), compile(t, "<a>", number).Space()
	for _, c := range []struct {
		a, b keyspace.CompositeKey
		want bool
	}{
		{keyspace.CompositeKey{Partition: text}, keyspace.CompositeKey{Partition: bin}, false},
		{keyspace.CompositeKey{Partition: bin}, keyspace.CompositeKey{Partition: bin}, true},
		{keyspace.CompositeKey{Partition: text, Sort: text}, keyspace.CompositeKey{Partition: text, Sort: n}, false},
		{keyspace.CompositeKey{Partition: text, Sort: n}, keyspace.CompositeKey{Partition: text, Sort: n}, true},
		{keyspace.CompositeKey{Partition: text, Sort: n}, keyspace.CompositeKey{Partition: text}, true},
	} {
		_, found := keyspace.FindOverlap(c.a, c.b)
		require.Equal(t, c.want, found)
	}
}
