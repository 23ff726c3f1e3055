package expr

import (
	"math"
	"reflect"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

type (
	word  string
	stamp time.Time
)

func TestConvert(t *testing.T) {
	t.Parallel()
	seven := 7
	for _, c := range []struct {
		from any
		to   reflect.Type
		want any // nil: it does not fit
	}{
		{7, reflect.TypeFor[int](), 7},
		{7, reflect.TypeFor[int8](), int8(7)},
		{300, reflect.TypeFor[int8](), nil},
		{7, reflect.TypeFor[uint64](), uint64(7)},
		{-7, reflect.TypeFor[uint64](), nil},
		{uint64(math.MaxUint64), reflect.TypeFor[int64](), nil},
		{uint8(7), reflect.TypeFor[int64](), int64(7)},
		{uint64(math.MaxUint64), reflect.TypeFor[uint64](), uint64(math.MaxUint64)},
		{7, reflect.TypeFor[float64](), 7.0},
		{int64(1<<53 + 1), reflect.TypeFor[float64](), nil},
		{7.0, reflect.TypeFor[int](), 7},
		{7.5, reflect.TypeFor[int](), nil},
		{1e300, reflect.TypeFor[int](), nil},
		{math.NaN(), reflect.TypeFor[int](), nil},
		{-1.0, reflect.TypeFor[uint](), nil},
		{0.5, reflect.TypeFor[float32](), float32(0.5)},
		{0.1, reflect.TypeFor[float32](), nil},
		{"a", reflect.TypeFor[word](), word("a")},
		{word("a"), reflect.TypeFor[string](), "a"},
		{"a", reflect.TypeFor[[]byte](), nil},
		{"a", reflect.TypeFor[int](), nil},
		{7, reflect.TypeFor[string](), nil},
		{true, reflect.TypeFor[bool](), true},
		{&seven, reflect.TypeFor[int](), 7},
		{[]byte("a"), reflect.TypeFor[[]byte](), []byte("a")},
		{time.Unix(7, 0), reflect.TypeFor[stamp](), stamp(time.Unix(7, 0))},
		{nil, reflect.TypeFor[string](), nil},
		{7, reflect.TypeFor[any](), any(7)},
	} {
		got, ok := convert(&c.from, c.to)
		if c.want == nil {
			require.False(t, ok, "%T to %s", c.from, c.to)
			continue
		}
		require.True(t, ok, "%T to %s", c.from, c.to)
		require.Equal(t, c.want, reflect.ValueOf(got).Elem().Interface())
	}
	got, ok := convert(&seven, reflect.TypeFor[**int]())
	require.True(t, ok)
	require.Equal(t, 7, **(*got.(***int)))
}
