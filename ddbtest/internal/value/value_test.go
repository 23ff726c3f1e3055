package value_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest/internal/value"
	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
)

func TestKinds(t *testing.T) {
	t.Parallel()
	for descriptor, v := range map[string]value.Value{
		"S": value.String(""), "N": value.Number{}, "B": value.Binary(""), "BOOL": value.Bool(false), "NULL": value.Null{}, "L": value.List{},
		"M": value.Map{}, "SS": value.StringSet{}, "NS": value.NumberSet{}, "BS": value.BinarySet{},
	} {
		require.Equal(t, descriptor, v.Kind().String())
		require.Equal(t, v.Kind(), value.KindOf(descriptor))
	}
	require.Zero(t, value.KindOf(""))
	require.Zero(t, value.KindOf("s"))
	require.Empty(t, value.Kind(200).String())
}

func TestEqual(t *testing.T) {
	t.Parallel()
	one := value.Number{Decimal: number(t, "1")}
	for _, c := range []struct {
		a, b  value.Value
		equal bool
	}{
		{nil, nil, true},
		{nil, value.Null{}, false},
		{value.List{}, nil, false},
		{value.List{}, value.List(nil), true},
		{value.List{}, value.Map{}, false},
		{value.Map{}, value.Map(nil), true},
		{one, value.Number{Decimal: number(t, "1.00")}, true},
		{value.String("1"), one, false},
		{value.String("a"), value.Binary("a"), false},
		{value.StringSet{"a"}, value.BinarySet{"a"}, false},
		{value.StringSet{"a"}, value.List{value.String("a")}, false},
		{value.NumberSet{number(t, "1")}, value.NumberSet{number(t, "1.0")}, true},
		{value.String("a"), value.List{}, false},
	} {
		require.Equal(t, c.equal, value.Equal(c.a, c.b), "%v, %v", c.a, c.b)
		require.Equal(t, c.equal, value.Equal(c.b, c.a), "%v, %v", c.b, c.a)
	}
}

func TestEqualRandom(t *testing.T) {
	t.Parallel()
	r := testrand.New(t)
	equal, naive := 0, 0
	runs := testsize.Pick(10_000, 50_000, 1_000_000)
	for range runs {
		a, b := anyValue(r, 3), anyValue(r, 3)
		if r.IntN(4) == 0 {
			a, b = value.List{a, value.List{}}, value.List{a, value.List(nil)}
		}
		want := spell(a) == spell(b)
		require.Equal(t, want, value.Equal(a, b), "%s, %s", spell(a), spell(b))
		if want {
			equal++
		}
		if reflect.DeepEqual(a, b) != want {
			naive++
		}
	}
	require.Greater(t, equal, runs/10)
	require.Greater(t, naive, runs/10, "the negative control: an empty list made in another way")
}

func TestCompare(t *testing.T) {
	t.Parallel()
	n := func(text string) value.Value { return value.Number{Decimal: number(t, text)} }
	sorted := [][]value.Value{
		// In UTF-16 the last two would sort in the opposite order.
		{value.String(""), value.String("B"), value.String("a"), value.String("aa"), value.String("b"), value.String("é"), value.String("\uffee"), value.String("😀")},
		{n("-10"), n("-9"), n("0"), n("9"), n("10"), n("1e20")},
		{value.Binary(""), value.Binary("\x00"), value.Binary("\x7f"), value.Binary("\x80"), value.Binary("\xff")},
	}
	for _, values := range sorted {
		for i, a := range values {
			for j, b := range values {
				order, ok := value.Compare(a, b)
				require.True(t, ok)
				require.Equal(t, sign(i-j), order, "%v, %v", a, b)
			}
			for _, other := range []value.Value{nil, value.Null{}, value.Bool(true), value.List{}, value.Map{}, value.StringSet{"a"}} {
				_, ok := value.Compare(a, other)
				require.False(t, ok)
				_, ok = value.Compare(other, a)
				require.False(t, ok)
			}
		}
	}
	for _, a := range []value.Value{sorted[0][0], sorted[1][0], sorted[2][0]} {
		for _, b := range []value.Value{sorted[0][0], sorted[1][0], sorted[2][0]} {
			_, ok := value.Compare(a, b)
			require.Equal(t, a.Kind() == b.Kind(), ok)
		}
	}
}

func sign(i int) int {
	switch {
	case i < 0:
		return -1
	case i > 0:
		return +1
	}
	return 0
}

// The sizes were measured at the service, to the byte, at the size limit of an item.
func TestSize(t *testing.T) {
	t.Parallel()
	n := func(text string) value.Value { return value.Number{Decimal: number(t, text)} }
	ab := value.String("ab")
	for _, c := range []struct {
		v    value.Value
		want int
	}{
		{nil, 0},
		{value.String(""), 0}, {ab, 2}, {value.String("é"), 2}, {value.String("😀"), 4}, {value.Binary("\x00\x01"), 2},
		{value.Bool(true), 1}, {value.Null{}, 1}, {n("0"), 1}, {n("-42"), 3}, {n("3.14159"), 5}, {n("1E125"), 2},
		{value.StringSet{"a", "bcd"}, 4}, {value.BinarySet{"", "\x00\x01"}, 2},
		{value.NumberSet{number(t, "-5"), number(t, "1"), number(t, "1234")}, 8},
		{value.List{}, 3}, {value.List{ab}, 6}, {value.List{ab, value.String("")}, 7}, {value.List{value.List{n("1")}}, 10},
		{value.Map{}, 3}, {value.MapOf(value.Attribute{Name: "k", Value: ab}), 7},
		{value.MapOf(value.Attribute{Name: "k", Value: ab}, value.Attribute{Name: "kk", Value: value.Map{}}), 13},
	} {
		require.Equal(t, c.want, value.Size(c.v), "%v", c.v)
		item := value.MapOf(value.Attribute{Name: "id", Value: ab}, value.Attribute{Name: "ü", Value: c.v})
		require.Equal(t, 4+2+c.want, item.Size(), "%v", c.v)
	}
}

// nest puts a value into that many lists and maps.
func nest(v value.Value, levels int) value.Value {
	for i := range levels {
		if i%2 == 0 {
			v = value.List{value.Bool(true), v}
		} else {
			v = value.MapOf(value.Attribute{Name: "a", Value: v}, value.Attribute{Name: "b", Value: value.Null{}})
		}
	}
	return v
}

func TestDepth(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		v    value.Value
		want int
	}{
		{value.String("leaf"), 1},
		{value.StringSet{"leaf"}, 1},
		{value.List{}, 2},
		{value.Map{}, 2},
		{nest(value.Null{}, 1), 2},
		{nest(value.Null{}, 31), value.MaxDepth},
		{nest(value.StringSet{"leaf"}, 31), value.MaxDepth},
		{nest(value.Map{}, 30), value.MaxDepth},
		{nest(value.Null{}, 32), value.MaxDepth + 1},
		{nest(value.Map{}, 31), value.MaxDepth + 1},
		{nest(value.Null{}, 33), value.MaxDepth + 1},
		{nest(value.Null{}, 100_000), value.MaxDepth + 1},
	} {
		require.Equal(t, c.want, value.Depth(c.v))
		item := value.MapOf(value.Attribute{Name: "id", Value: value.Null{}}, value.Attribute{Name: "v", Value: c.v})
		require.Equal(t, c.want, item.Depth(), "an item is no level")
	}
	require.Zero(t, value.Map{}.Depth())
	require.True(t, strings.HasPrefix(spell(nest(value.Null{}, 2)), "M{"))
}
