package wire_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode/utf16"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest/internal/api"
	"github.com/trestledb/trestle/ddbtest/internal/value"
	"github.com/trestledb/trestle/ddbtest/internal/wire"
	"github.com/trestledb/trestle/internal/testsize"
)

// An item is unchanged by encoding and decoding, however the JSON is spelled.
func TestRoundTrip(t *testing.T) {
	t.Parallel()
	testsize.SkipRace(t)
	r := newRandom(t)
	for range testsize.Pick(5_000, 10_000, 60_000) {
		item := randomMap(r, value.MaxDepth)
		written := itemJSON(item)
		for _, spelling := range [][]byte{written, randomSpelling(t, written), allEscaped(written)} {
			read, err := readItem(spelling)
			require.NoError(t, err, "%s", spelling)
			require.True(t, value.Equal(item, read), "%s", spelling)
		}
		read, err := readItem(written)
		require.NoError(t, err)
		require.Equal(t, written, itemJSON(read), "what was read is written as before")
	}
}

// Negative control: the check above detects an encoder that uses floats.
func TestRoundTripFindsFloats(t *testing.T) {
	t.Parallel()
	r := newRandom(t)
	lost := 0
	for range 1000 {
		n := value.Number{Decimal: randomNumber(r)}
		var float float64
		_, err := fmt.Sscan(n.String(), &float)
		require.NoError(t, err)
		written := fmt.Appendf(nil, `{"n":{"N":"%v"}}`, float)
		if read, err := readItem(written); err != nil || !value.Equal(n, read.Get("n")) {
			lost++
		}
	}
	require.Positive(t, lost)
}

// All items share the string of an attribute name. The test is not parallel, because other names
// would replace it.
func TestNamesAreShared(t *testing.T) {
	address := func(name string) *byte {
		item, err := readItem([]byte(`{"` + name + `":{"BOOL":true}}`))
		require.NoError(t, err)
		return unsafe.StringData(item[0].Name)
	}
	first, second := address("customer"), address("customer")
	require.Same(t, first, second)
	long := strings.Repeat("n", 1000)
	first, second = address(long), address(long)
	require.NotSame(t, first, second, "a long name is not kept")
}

func readItem(item []byte) (value.Map, error) {
	var in api.PutItemInput
	err := wire.Decode(fmt.Appendf(nil, `{"TableName":"orders","Item":%s}`, item), &in)
	return in.Item, err
}

// randomSpelling returns the same JSON as another encoder writes it: indented, with other escapes.
func randomSpelling(t *testing.T, text []byte) []byte {
	var tree any
	require.NoError(t, json.Unmarshal(text, &tree), "%s", text)
	other, err := json.MarshalIndent(tree, " ", "\t")
	require.NoError(t, err)
	return other
}

// allEscaped returns the same JSON with all non-ASCII characters escaped.
func allEscaped(text []byte) []byte {
	var escaped bytes.Buffer
	for _, r := range string(text) {
		switch {
		case r < 0x80:
			escaped.WriteRune(r)
		case r < 0x10000:
			fmt.Fprintf(&escaped, `\u%04x`, r)
		default:
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(&escaped, `\u%04X\u%04x`, high, low)
		}
	}
	return escaped.Bytes()
}
