package keys_test

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/internal/keyspace"
	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
	"github.com/trestledb/trestle/keys"
)

// long returns a text for a key of about 1024 bytes.
func longText(r *rand.Rand) keys.Value {
	filler := pick(r, "x", "\u07ff", "\U0010FFFF")
	tail := hostileText(r).Text()
	room := 1008 + r.IntN(16) - len(tail)
	return keys.Text(strings.Repeat("x", room%len(filler)) + strings.Repeat(filler, room/len(filler)) + tail)
}

// TestOperatorsAtTheLimit checks that ranges are exact for keys of 1024 bytes, and that bounds are
// not longer than keys.
func TestOperatorsAtTheLimit(t *testing.T) {
	t.Parallel()
	testsize.SkipRace(t)
	r := testrand.New(t)
	longest := 0
	text := formatCases[0]
	text.value = longText
	short := formatCases[0]
	shapes := []testTemplate{
		{text: "EMP#<a>", cases: []formatCase{text}},
		{text: "EMP#<a>", cases: []formatCase{text}, raw: true},
		{text: "EMP#<a>#<b>", cases: []formatCase{text, short}},
		{text: "<b>#<a>", cases: []formatCase{short, text}},
		{text: "<a>#", cases: []formatCase{text}},
		{text: "<a>", cases: []formatCase{text}},
		{text: "E#<b>#<a:lower>", cases: []formatCase{short, {text.kind, "lower", true, longText, lower}}},
	}
	for range testsize.Pick(2000, 5_000, 50_000) {
		s := pick(r, shapes...)
		template := compile(t, s.text, s.options(t))
		pool := renderable(template, s.pool(r))
		if len(pool) == 0 {
			continue
		}
		q := s.comparison(r, pool)
		got, err := s.check(template, pool, q)
		// The operand is too long, or a raw prefix is reserved.
		if errors.Is(err, keys.ErrTooLong) || errors.Is(err, keys.ErrInvalid) {
			continue
		}
		require.NoError(t, err)
		longest = max(longest, len(got.Lo), len(got.Hi))
		require.LessOrEqual(t, longest, 1024)
	}
	require.Equal(t, 1024, longest)
}

func lower(v keys.Value) keys.Value { return keys.Text(strings.ToLower(v.Text())) }

func renderable(template *keys.Template, tuples [][]keys.Value) (out [][]keys.Value) {
	for _, tuple := range tuples {
		if _, err := template.Render(tuple...); err == nil {
			out = append(out, tuple)
		}
	}
	return out
}

// TestBoundsAtTheLimit checks the first and the last bound for keys of exactly 1024 bytes.
func TestBoundsAtTheLimit(t *testing.T) {
	t.Parallel()
	template := compile(t, "E#<a>", keys.Options{})
	cases := []struct{ name, value, above string }{
		{"a short key is followed by U+0000", "x", "E#x\x00"},
		{"the last rune is raised", strings.Repeat("x", 1022), "E#" + strings.Repeat("x", 1021) + "y"},
		{"a rune that would grow is dropped", strings.Repeat("x", 1021) + "\x7f", "E#" + strings.Repeat("x", 1020) + "y"},
		{"a rune grows into the room of dropped ones", strings.Repeat("x", 1019) + "\u07ff\x7f", "E#" + strings.Repeat("x", 1019) + "\u0800"},
		{"the gap of surrogates is skipped", strings.Repeat("x", 1019) + "\ud7ff", "E#" + strings.Repeat("x", 1019) + "\ue000"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got, err := template.Range(nil, keyspace.Gt, keys.Text(c.value))
			require.NoError(t, err)
			require.Equal(t, keyspace.Between, got.Op)
			require.Equal(t, c.above, got.Lo)
			require.Equal(t, "E$", got.Hi)
		})
	}
	last, err := template.Range(nil, keyspace.Gt, keys.Text(strings.Repeat("\U0010FFFF", 255)+"\uffff"))
	require.ErrorIs(t, err, keys.ErrTooLong)
	require.Equal(t, keyspace.None, last.Op)
}

// TestKeySizes checks that a partition key has at most 2048 bytes and a sort key at most 1024,
// including escapes.
func TestKeySizes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		partition bool
		limit     int
	}{{false, 1024}, {true, 2048}} {
		template := compile(t, "K#<a>", keys.Options{Partition: c.partition})
		for _, filler := range []string{"x", "#"} {
			size := len(filler)
			if filler == "#" {
				size = 2
			}
			fits := keys.Text(strings.Repeat(filler, (c.limit-2)/size))
			key, err := template.Render(fits)
			require.NoError(t, err)
			require.Len(t, key, c.limit)
			_, err = template.Parse(key)
			require.NoError(t, err)
			_, err = template.Render(keys.Text(fits.Text() + "x"))
			require.ErrorIs(t, err, keys.ErrTooLong)
			_, err = template.Parse(key + "x")
			require.ErrorIs(t, err, keys.ErrTooLong)
			_, err = template.Range([]keys.Value{keys.Text(fits.Text() + "x")}, keyspace.All)
			require.ErrorIs(t, err, keys.ErrTooLong)
		}
	}
}
