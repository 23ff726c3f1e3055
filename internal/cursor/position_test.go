package cursor

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
	"github.com/trestledb/trestle/keys"
)

var (
	twoAttributes = []core.Attribute{{Name: "PK", Type: keys.S}, {Name: "SK", Type: keys.N}}
	madeAt        = time.UnixMilli(1_790_000_000_000)
)

// randomPositions returns the base of a group, and positions of some of its streams.
func randomPositions(r *rand.Rand) []Position {
	at := func() map[string]types.AttributeValue {
		if r.IntN(4) == 0 {
			return nil
		}
		return map[string]types.AttributeValue{
			"PK": &types.AttributeValueMemberS{Value: strings.Repeat("k", r.IntN(200))},
			"SK": &types.AttributeValueMemberN{Value: fmt.Sprint(r.Int64())},
		}
	}
	list := []Position{{Stream: r.IntN(1000), Merged: r.IntN(4) > 0, After: at()}}
	if list[0].Merged {
		for i := range r.IntN(1000) {
			if r.IntN(3) == 0 {
				list[0].Ended = append(list[0].Ended, i)
			}
		}
	}
	for range r.IntN(5) {
		list = append(list, Position{Stream: r.IntN(300), After: at()})
	}
	return list
}

// Positions with a base, and with streams that have ended, come back as they were. No other bytes
// have the same positions.
func TestPositionsHaveOneEncoding(t *testing.T) {
	t.Parallel()
	r := testrand.New(t)
	accepted := 0
	for range testsize.Pick(300, 3_000, 30_000) {
		want := randomPositions(r)
		raw, ok := encodePositions(madeAt, want, twoAttributes)
		require.True(t, ok)
		got, at, ok := parsePositions(raw, twoAttributes)
		require.True(t, ok)
		require.Equal(t, want, got)
		require.True(t, at.Equal(madeAt))
		for n := range min(len(raw), 60) {
			_, _, ok = parsePositions(raw[:n], twoAttributes)
			require.False(t, ok, "%d of %d bytes", n, len(raw))
		}
		for range 40 {
			altered := slices.Clone(raw)
			i := r.IntN(min(len(raw), 40))
			switch r.IntN(3) {
			case 0:
				altered[i] = byte(r.IntN(256))
			case 1:
				altered = slices.Insert(altered, i, byte(r.IntN(256)))
			default:
				altered[i] |= 0x80
				altered = slices.Insert(altered, i+1, 0) // the same number in one byte more
			}
			accepted += onlyEncoding(t, altered)
		}
	}
	require.Positive(t, accepted, "some alterations are other positions")
}

// onlyEncoding requires that parsePositions refuses bytes, or that they are the encoding of what it
// returns. It returns 1 if they are.
func onlyEncoding(t *testing.T, raw []byte) int {
	t.Helper()
	list, at, ok := parsePositions(raw, twoAttributes)
	if !ok {
		return 0
	}
	again, ok := encodePositions(at, list, twoAttributes)
	require.True(t, ok)
	require.Equal(t, raw, again)
	return 1
}

// A number with a needless byte, an ended set with a needless byte, an unknown form and a stream
// above the maximum are refused.
func TestPositionsAreStrict(t *testing.T) {
	t.Parallel()
	head := binary.AppendUvarint(binary.AppendVarint(nil, madeAt.UnixMilli()), 1)
	for name, c := range map[string]struct {
		raw []byte
		ok  bool
	}{
		"at the beginning":      {[]byte{5, atBeginning}, true},
		"stream in two bytes":   {[]byte{0x85, 0, atBeginning}, false},
		"merged":                {[]byte{5, mergedAtBeginning, 0}, true},
		"ended":                 {[]byte{5, mergedAtBeginning, 1, 3}, true},
		"ended by a zero byte":  {[]byte{5, mergedAtBeginning, 2, 3, 0}, false},
		"no ended":              {[]byte{5, mergedAtBeginning, 1, 0}, false},
		"size in two bytes":     {[]byte{5, mergedAtBeginning, 0x81, 0, 3}, false},
		"unknown form":          {[]byte{5, mergedBehindItem + 1}, false},
		"rest":                  {[]byte{5, atBeginning, 0}, false},
		"greatest stream":       {append(binary.AppendUvarint(nil, maxStream), atBeginning), true},
		"stream above that":     {append(binary.AppendUvarint(nil, maxStream+1), atBeginning), false},
		"a set without content": {[]byte{5, mergedAtBeginning, 9, 1}, false},
	} {
		_, _, ok := parsePositions(slices.Concat(head, c.raw), twoAttributes)
		require.Equal(t, c.ok, ok, name)
	}
	list, _, _ := parsePositions(slices.Concat(head, []byte{5, mergedAtBeginning, 2, 0x81, 0x80}), twoAttributes)
	require.Equal(t, []Position{{Stream: 5, Merged: true, Ended: []int{0, 7, 15}}}, list)
}

// The ended streams of 1,000 shards take 125 bytes at most.
func TestEndedStreamsAreShort(t *testing.T) {
	t.Parallel()
	all := make([]int, 1000)
	for i := range all {
		all[i] = i
	}
	require.Len(t, appendSet(nil, all), 126)
	require.Equal(t, []byte{0}, appendSet(nil, nil))
}

// FuzzPositions checks that parsePositions refuses all bytes except the encodings of
// encodePositions.
func FuzzPositions(f *testing.F) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 20 {
		raw, _ := encodePositions(madeAt, randomPositions(r), twoAttributes)
		f.Add(raw)
	}
	f.Add(bytes.Repeat([]byte{0x80}, 30))
	f.Fuzz(func(t *testing.T, raw []byte) { onlyEncoding(t, raw) })
}
