package cursor_test

import (
	cryptorand "crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/cursor"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
	"github.com/trestledb/trestle/keys"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var (
	attributes = []core.Attribute{{Name: "GPK", Type: keys.S}, {Name: "GSK", Type: keys.N}, {Name: "PK", Type: keys.B}, {Name: "SK", Type: keys.S}}
	now        = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	limits     = cursor.Limits{Expiry: time.Hour, Longest: 4096}
)

func key(n byte) [cursor.KeySize]byte { return sha256.Sum256([]byte{n}) }

func binding(parts ...string) cursor.Binding {
	b := cursor.NewBinding()
	b.Texts(parts)
	return b
}

// position returns a random position with a key of every type.
func position(r *rand.Rand, part int) cursor.Position {
	text := func() string { return strings.Repeat("é", r.IntN(20)) + string([]byte{byte(r.IntN(128))}) }
	return cursor.Position{Stream: part, After: map[string]types.AttributeValue{
		"GPK": &types.AttributeValueMemberS{Value: text()},
		"GSK": &types.AttributeValueMemberN{Value: fmt.Sprintf("%d.%038d", r.Int64(), r.Uint64())},
		"PK":  &types.AttributeValueMemberB{Value: []byte{0, byte(r.IntN(256)), 255}},
		"SK":  &types.AttributeValueMemberS{Value: text()},
	}}
}

// Open returns the positions that Seal was called with, for every key type and number of positions.
func TestRoundTrip(t *testing.T) {
	t.Parallel()
	r := testrand.New(t)
	for _, codec := range []*cursor.Codec{cursor.Sealed([][cursor.KeySize]byte{key(1)}, limits), cursor.Plain(limits)} {
		for n := range 200 {
			want := []cursor.Position{{Stream: 7}}
			for i := range n % 5 {
				want = append(want, position(r, i))
			}
			token, err := codec.Seal(binding("a"), attributes, want, now, cryptorand.Reader)
			require.NoError(t, err)
			got, err := codec.Open(binding("a"), attributes, token, now)
			require.NoError(t, err)
			require.Equal(t, want, got)
		}
	}
}

// Open rejects a token that was modified, truncated, encoded in another way, made for another read,
// or made with another key. The test tries every bit, every length, and random mutations. The
// negative control is a plain codec: it detects modifications but accepts forged tokens.
func TestForgedCursorsAreRejected(t *testing.T) {
	t.Parallel()
	r := testrand.New(t)
	sealed := cursor.Sealed([][cursor.KeySize]byte{key(1), key(2)}, limits)
	counts := map[string]int{}
	for range testsize.Pick(50, 120, 1000) {
		p := []cursor.Position{position(r, 0)}
		token, err := sealed.Seal(binding("table", "index", "a"), attributes, p, now, cryptorand.Reader)
		require.NoError(t, err)
		refused(t, counts, sealed, token, r)
	}
	t.Log(counts)

	plain := cursor.Plain(limits)
	for range 20 {
		p := []cursor.Position{position(r, 0)}
		token, err := plain.Seal(binding("table", "index", "a"), attributes, p, now, cryptorand.Reader)
		require.NoError(t, err)
		refused(t, counts, plain, token, r)

		forged, err := cursor.Sealed([][cursor.KeySize]byte{key(9)}, limits).Seal(binding("a"), attributes, p, now, cryptorand.Reader)
		require.NoError(t, err)
		_, err = sealed.Open(binding("a"), attributes, forged, now)
		require.Equal(t, errs.Cursor, err)
		forged, err = cursor.Plain(limits).Seal(binding("a"), attributes, p, now, cryptorand.Reader)
		require.NoError(t, err)
		_, err = plain.Open(binding("a"), attributes, forged, now)
		require.NoError(t, err, "the control: without a seal anybody makes a token")
	}
}

func refused(t *testing.T, counts map[string]int, c *cursor.Codec, token string, r *rand.Rand) {
	t.Helper()
	try := func(kind, altered string, b cursor.Binding, at time.Time) {
		counts[kind]++
		_, err := c.Open(b, attributes, altered, at)
		require.Equal(t, errs.Cursor, err, kind)
	}
	own := func() cursor.Binding { return binding("table", "index", "a") }
	_, err := c.Open(own(), attributes, token, now)
	require.NoError(t, err)
	raw, err := base64.RawURLEncoding.DecodeString(token)
	require.NoError(t, err)
	for bit := range 8 * len(raw) {
		raw[bit/8] ^= 1 << (bit % 8)
		try("bit", base64.RawURLEncoding.EncodeToString(raw), own(), now)
		raw[bit/8] ^= 1 << (bit % 8)
	}
	for n := range len(token) {
		try("cut", token[:n], own(), now)
		try("cut in front", token[n+1:], own(), now)
	}
	for i := range 40 {
		altered := []byte(token)
		altered[r.IntN(len(altered))] = byte(r.IntN(256))
		if string(altered) != token {
			try("byte", string(altered), own(), now)
		}
		at := r.IntN(len(token) + 1)
		for _, in := range []string{"\n", "\r", "\r\n", "=", " ", "A", "+", "/"} {
			try("put in", token[:at]+in+token[at:], own(), now)
		}
		try("padded", token+strings.Repeat("=", 1+i%3), own(), now)
	}
	for _, b := range []cursor.Binding{
		binding("table", "index", "b"), binding("table", "index"), binding("table", "indexa"), binding("tablei", "ndex", "a"),
		binding("table", "index", "a", ""), binding(),
	} {
		try("another read", token, b, now)
	}
	try("too late", token, own(), now.Add(time.Hour+time.Second))
	try("empty", "", own(), now)
}

// The maximum length grows in proportion to the number of positions, even if it is huge.
func TestManyPositions(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	var many []cursor.Position
	for part := range 100 {
		many = append(many, position(r, part))
	}
	for _, longest := range []int{4096, math.MaxInt} {
		c := cursor.Sealed([][cursor.KeySize]byte{key(1)}, cursor.Limits{Expiry: time.Hour, Longest: longest})
		token, err := c.Wide(len(many)).Seal(binding(), attributes, many, now, cryptorand.Reader)
		require.NoError(t, err)
		got, err := c.Wide(len(many)).Open(binding(), attributes, token, now)
		require.NoError(t, err)
		require.Equal(t, many, got)
		if longest == 4096 {
			_, err = c.Seal(binding(), attributes, many, now, cryptorand.Reader)
			require.ErrorIs(t, err, errs.Limit)
		}
	}
}

// A token is valid until its expiry and no longer. Times are stored in milliseconds.
func TestExpiryIsExact(t *testing.T) {
	t.Parallel()
	c := cursor.Sealed([][cursor.KeySize]byte{key(1)}, cursor.Limits{Expiry: time.Second, Longest: 4096})
	made := now.Add(999 * time.Millisecond)
	token, err := c.Seal(binding(), attributes, []cursor.Position{{Stream: 1}}, made, cryptorand.Reader)
	require.NoError(t, err)
	_, err = c.Open(binding(), attributes, token, made.Add(time.Second))
	require.NoError(t, err)
	_, err = c.Open(binding(), attributes, token, made.Add(time.Second+time.Millisecond))
	require.Equal(t, errs.Cursor, err)
}

// The unused bits of the last character must be zero.
func TestCursorHasOneSpelling(t *testing.T) {
	t.Parallel()
	c := cursor.Plain(limits)
	for part := range 300 {
		token, err := c.Seal(binding(), attributes, []cursor.Position{{Stream: part}}, now, cryptorand.Reader)
		require.NoError(t, err)
		for _, last := range "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_" {
			altered := token[:len(token)-1] + string(last)
			if p, err := c.Open(binding(), attributes, altered, now); err == nil && altered != token {
				require.NotEqual(t, part, p[0].Stream, "two spellings of one token")
			}
		}
	}
}

// A key that is no longer the first still opens its tokens. A removed key does not.
func TestRotation(t *testing.T) {
	t.Parallel()
	ring := func(ns ...byte) *cursor.Codec {
		keys := make([][cursor.KeySize]byte, len(ns))
		for i, n := range ns {
			keys[i] = key(n)
		}
		return cursor.Sealed(keys, limits)
	}
	p := []cursor.Position{{Stream: 1}}
	old, err := ring(1).Seal(binding(), attributes, p, now, cryptorand.Reader)
	require.NoError(t, err)
	got, err := ring(2, 1).Open(binding(), attributes, old, now)
	require.NoError(t, err)
	require.Equal(t, p, got)
	_, err = ring(2).Open(binding(), attributes, old, now)
	require.ErrorIs(t, err, errs.Cursor)
	fresh, err := ring(2, 1).Seal(binding(), attributes, p, now, cryptorand.Reader)
	require.NoError(t, err)
	_, err = ring(2).Open(binding(), attributes, fresh, now)
	require.NoError(t, err)
	plain, err := cursor.Plain(limits).Seal(binding(), attributes, p, now, cryptorand.Reader)
	require.NoError(t, err)
	_, err = ring(1).Open(binding(), attributes, plain, now)
	require.ErrorIs(t, err, errs.Cursor, "a sealed codec takes no plain token")
	_, err = cursor.Plain(limits).Open(binding(), attributes, fresh, now)
	require.ErrorIs(t, err, errs.Cursor)
}

// Two tokens for one position differ, and a token does not show the key.
func TestTokensAreOpaque(t *testing.T) {
	t.Parallel()
	c := cursor.Sealed([][cursor.KeySize]byte{key(1)}, limits)
	p := []cursor.Position{{Stream: 1, After: map[string]types.AttributeValue{
		"GPK": &types.AttributeValueMemberS{Value: "CANARY"}, "GSK": &types.AttributeValueMemberN{Value: "1"},
		"PK": &types.AttributeValueMemberB{Value: []byte("CANARY")}, "SK": &types.AttributeValueMemberS{Value: "CANARY"},
	}}}
	one, err := c.Seal(binding(), attributes, p, now, cryptorand.Reader)
	require.NoError(t, err)
	two, err := c.Seal(binding(), attributes, p, now, cryptorand.Reader)
	require.NoError(t, err)
	require.NotEqual(t, one, two)
	raw, err := base64.RawURLEncoding.DecodeString(one)
	require.NoError(t, err)
	require.NotContains(t, string(raw), "CANARY")
}

// The same source makes the same token. A token is not made if its source fails; a plain token
// needs none.
func TestNonceComesFromTheSource(t *testing.T) {
	t.Parallel()
	c := cursor.Sealed([][cursor.KeySize]byte{key(1)}, limits)
	p := []cursor.Position{position(rand.New(rand.NewPCG(1, 1)), 0)}
	seal := func(c *cursor.Codec, source io.Reader) (string, error) {
		return c.Seal(binding(), attributes, p, now, source)
	}
	one, err := seal(c, rand.NewChaCha8([32]byte{1}))
	require.NoError(t, err)
	again, err := seal(c, rand.NewChaCha8([32]byte{1}))
	require.NoError(t, err)
	require.Equal(t, one, again)
	other, err := seal(c, rand.NewChaCha8([32]byte{2}))
	require.NoError(t, err)
	require.NotEqual(t, one, other)
	broken := errors.New("broken")
	none, err := seal(c, iotest.ErrReader(broken))
	require.ErrorIs(t, err, broken)
	require.Empty(t, none)
	_, err = seal(cursor.Plain(limits), iotest.ErrReader(broken))
	require.NoError(t, err)
}

func TestLongestCursor(t *testing.T) {
	t.Parallel()
	p := []cursor.Position{position(rand.New(rand.NewPCG(1, 1)), 0)}
	c := cursor.Sealed([][cursor.KeySize]byte{key(1)}, limits)
	token, err := c.Seal(binding(), attributes, p, now, cryptorand.Reader)
	require.NoError(t, err)
	exact := cursor.Sealed([][cursor.KeySize]byte{key(1)}, cursor.Limits{Expiry: time.Hour, Longest: len(token)})
	again, err := exact.Seal(binding(), attributes, p, now, cryptorand.Reader)
	require.NoError(t, err)
	_, err = exact.Open(binding(), attributes, again, now)
	require.NoError(t, err)
	short := cursor.Sealed([][cursor.KeySize]byte{key(1)}, cursor.Limits{Expiry: time.Hour, Longest: len(token) - 1})
	_, err = short.Seal(binding(), attributes, p, now, cryptorand.Reader)
	require.ErrorIs(t, err, errs.Limit)
	_, err = short.Open(binding(), attributes, token, now)
	require.ErrorIs(t, err, errs.Cursor)
}

// An item whose key does not match the schema has no token.
func TestOnlyWholeKeysAreSealed(t *testing.T) {
	t.Parallel()
	c := cursor.Plain(limits)
	p := position(rand.New(rand.NewPCG(1, 1)), 0)
	delete(p.After, "SK")
	_, err := c.Seal(binding(), attributes, []cursor.Position{p}, now, cryptorand.Reader)
	require.ErrorIs(t, err, errs.Invalid)
	p.After["SK"] = &types.AttributeValueMemberN{Value: "1"}
	_, err = c.Seal(binding(), attributes, []cursor.Position{p}, now, cryptorand.Reader)
	require.ErrorIs(t, err, errs.Invalid)
}

// Bindings differ if kinds, lengths or the order of their parts differ. The order of maps and sets
// does not matter.
func TestBindings(t *testing.T) {
	t.Parallel()
	c := cursor.Sealed([][cursor.KeySize]byte{key(1)}, limits)
	s := func(v string) types.AttributeValue { return &types.AttributeValueMemberS{Value: v} }
	values := func(av types.AttributeValue) func(cursor.Binding) {
		return func(b cursor.Binding) { b.Values(map[string]types.AttributeValue{":a": av}) }
	}
	different := []func(cursor.Binding){
		func(cursor.Binding) {},
		func(b cursor.Binding) { b.Text("a") },
		func(b cursor.Binding) { b.Text("a"); b.Text("") },
		func(b cursor.Binding) { b.Texts([]string{"a"}) },
		func(b cursor.Binding) { b.Flag(true) },
		func(b cursor.Binding) { b.Flag(false) },
		func(b cursor.Binding) { b.Names(map[string]string{"#a": "b"}) },
		func(b cursor.Binding) { b.Names(map[string]string{"#a": "b", "#b": "a"}) },
		func(b cursor.Binding) { b.Names(map[string]string{"#a": "a", "#b": "b"}) },
		values(s("1")),
		values(&types.AttributeValueMemberN{Value: "1"}),
		values(&types.AttributeValueMemberB{Value: []byte("1")}),
		values(&types.AttributeValueMemberBOOL{Value: true}),
		values(&types.AttributeValueMemberBOOL{}),
		values(&types.AttributeValueMemberNULL{Value: true}),
		values(&types.AttributeValueMemberSS{Value: []string{"1", "2"}}),
		values(&types.AttributeValueMemberNS{Value: []string{"1", "2"}}),
		values(&types.AttributeValueMemberBS{Value: [][]byte{[]byte("1"), []byte("2")}}),
		values(&types.AttributeValueMemberL{Value: []types.AttributeValue{s("1"), s("2")}}),
		values(&types.AttributeValueMemberL{Value: []types.AttributeValue{s("2"), s("1")}}),
		values(&types.AttributeValueMemberL{Value: []types.AttributeValue{s("12")}}),
		values(&types.AttributeValueMemberM{Value: map[string]types.AttributeValue{"1": s("2")}}),
	}
	bound := func(f func(cursor.Binding)) cursor.Binding {
		b := cursor.NewBinding()
		f(b)
		return b
	}
	for i, f := range different {
		token, err := c.Seal(bound(f), nil, []cursor.Position{{}}, now, cryptorand.Reader)
		require.NoError(t, err)
		for j, g := range different {
			_, err := c.Open(bound(g), nil, token, now)
			require.Equal(t, i == j, err == nil, "%d %d", i, j)
		}
	}
	set := func(e ...string) cursor.Binding { return bound(values(&types.AttributeValueMemberSS{Value: e})) }
	token, err := c.Seal(set("1", "2"), nil, []cursor.Position{{}}, now, cryptorand.Reader)
	require.NoError(t, err)
	_, err = c.Open(set("2", "1"), nil, token, now)
	require.NoError(t, err)
}

// FuzzOpen checks that Open returns positions or an error for any token, and never panics.
func FuzzOpen(f *testing.F) {
	c := cursor.Plain(limits)
	token, err := c.Seal(binding(), attributes, []cursor.Position{{Stream: 3}}, now, cryptorand.Reader)
	require.NoError(f, err)
	f.Add(token)
	f.Add("")
	f.Fuzz(func(t *testing.T, token string) {
		p, err := c.Open(binding(), attributes, token, now)
		if err == nil {
			again, err := c.Seal(binding(), attributes, p, now, cryptorand.Reader)
			require.NoError(t, err)
			_, err = c.Open(binding(), attributes, again, now)
			require.NoError(t, err)
		} else {
			require.ErrorIs(t, err, errs.Cursor)
		}
	})
}
