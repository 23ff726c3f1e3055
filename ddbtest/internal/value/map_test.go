package value_test

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest/internal/value"
	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
)

func TestMapOf(t *testing.T) {
	t.Parallel()
	m := value.MapOf(
		value.Attribute{Name: "b", Value: value.String("first")},
		value.Attribute{Name: "a", Value: value.Null{}},
		value.Attribute{Name: "b", Value: value.String("last")},
	)
	require.Equal(t, value.Map{{"a", value.Null{}}, {"b", value.String("last")}}, m)
	require.Empty(t, value.MapOf())
	require.Equal(t, value.Map{{"b", value.String("last")}}, m.Pick("c", "b"))
	require.Empty(t, m.Pick())
	require.Nil(t, m.Get("c"))
	require.Nil(t, value.Map(nil).Get(""))
}

// setter returns a changed copy of a map.
type setter func(m value.Map, name string, v value.Value) value.Map

// setInPlace is the naive setter. It changes the original map too.
func setInPlace(m value.Map, name string, v value.Value) value.Map {
	for i := range m {
		if m[i].Name == name {
			m[i].Value = v
			return m
		}
	}
	return m.With(name, v)
}

// checkMap changes a map many times, together with a Go map. It reports whether both agree and all
// older maps are unchanged.
func checkMap(t *testing.T, r *rand.Rand, set setter) bool {
	t.Helper()
	var m value.Map
	model := map[string]value.Value{}
	var held []value.Map
	var spelled []string
	for range 30 {
		held, spelled = append(held, m), append(spelled, spell(m))
		n, v := name(r), anyValue(r, 2)
		if r.IntN(3) == 0 {
			m = m.Without(n)
			delete(model, n)
		} else {
			m = set(m, n, v)
			model[n] = v
		}
		require.Len(t, m, len(model))
		for n, v := range maps.All(model) {
			require.True(t, value.Equal(v, m.Get(n)))
		}
		require.True(t, slices.IsSortedFunc(m, func(a, b value.Attribute) int {
			if a.Name < b.Name {
				return -1
			}
			return +1
		}))
	}
	for i := range held {
		if spell(held[i]) != spelled[i] {
			return false
		}
	}
	return true
}

func TestMapRandom(t *testing.T) {
	t.Parallel()
	r := testrand.New(t)
	refuted := 0
	for range testsize.Pick(300, 3_000, 10_000) {
		require.True(t, checkMap(t, r, value.Map.With))
		if !checkMap(t, r, setInPlace) {
			refuted++
		}
	}
	require.NotZero(t, refuted, "the negative control: a change in place")
}
