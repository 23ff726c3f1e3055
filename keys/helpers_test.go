package keys_test

import (
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/keys"
)

// compile is keys.Compile for valid templates.
func compile(t testing.TB, text string, o keys.Options) *keys.Template {
	t.Helper()
	template, err := keys.Compile(text, o)
	require.NoError(t, err)
	return template
}

func kindsOf(kinds map[string]keys.Kind) func(string) (keys.Kind, bool) {
	return func(name string) (keys.Kind, bool) {
		kind, ok := kinds[name]
		return kind, ok
	}
}

// testFormats returns named formats, as in the config of a table.
func testFormats(t testing.TB) map[string]keys.Format {
	t.Helper()
	formats, err := makeFormats()
	require.NoError(t, err)
	return formats
}

var makeFormats = sync.OnceValues(func() (map[string]keys.Format, error) {
	color := keys.Format{
		Kinds: []keys.Kind{keys.KindInt}, Ordered: true, Lossless: true, Width: 1, Alphabet: colors,
		Encode: func(v keys.Value) (string, error) {
			if n := v.Int(); n >= 0 && n < int64(len(colors)) {
				return colors[n : n+1], nil
			}
			return "", errNoColor
		},
		Decode: func(text string) (keys.Value, error) { return keys.Int(int64(strings.Index(colors, text))), nil },
	}
	formats := map[string]keys.Format{"color": color}
	var errs []error
	for name, text := range testLayouts {
		format, err := keys.Layout(text)
		formats[name], errs = format, append(errs, err)
	}
	return formats, errors.Join(errs...)
})

var testLayouts = map[string]string{"basic": "2006-01-02T150405", "spaced": time.DateTime}

const colors = "BGR"

var errNoColor = errors.New("no color")
