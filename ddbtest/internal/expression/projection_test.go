package expression_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest/internal/expression"
	"github.com/trestledb/trestle/ddbtest/internal/value"
)

func mustProjection(t testing.TB, text string, names map[string]string) *expression.Projection {
	t.Helper()
	p, err := expression.ParseProjection(text, mustPlaceholders(t, names, nil))
	require.NoError(t, err, text)
	return p
}

func TestProjections(t *testing.T) {
	t.Parallel()
	x, y, hi := number("1"), number("2"), value.String("hi")
	item := value.MapOf(
		attribute("a", hi),
		attribute("m", value.MapOf(attribute("p", x), attribute("q", value.MapOf(attribute("r", y))))),
		attribute("l", value.List{x, y, value.MapOf(attribute("u", x), attribute("v", y)), value.List{hi}}),
		attribute("noMap", value.Map{}),
		attribute("noList", value.List{}),
		attribute("p.q", y),
	)
	m := func(inside ...value.Attribute) value.Attribute { return attribute("m", value.MapOf(inside...)) }
	l := func(elements ...value.Value) value.Attribute { return attribute("l", value.List(elements)) }
	for text, want := range map[string]value.Map{
		"a":                      value.MapOf(attribute("a", hi)),
		"a, gone, m":             value.MapOf(attribute("a", hi), attribute("m", item.Get("m"))),
		"m.p":                    value.MapOf(m(attribute("p", x))),
		"m.q.r,m.p,a":            value.MapOf(attribute("a", hi), attribute("m", item.Get("m"))),
		"m.q.gone":               {},
		"m.gone, m.p":            value.MapOf(m(attribute("p", x))),
		"m[0], a":                value.MapOf(attribute("a", hi)),
		"l[0]":                   value.MapOf(l(x)),
		"l[1],l[0]":              value.MapOf(l(x, y)),
		"l[9],l[1]":              value.MapOf(l(y)),
		"l[2].v":                 value.MapOf(l(value.MapOf(attribute("v", y)))),
		"l[3][0],l[2].u,l[2].v":  value.MapOf(l(value.MapOf(attribute("u", x), attribute("v", y)), value.List{hi})),
		"l[2].gone,l[1]":         value.MapOf(l(y)),
		"l[0].gone,a[0]":         {},
		"noMap, noList":          value.MapOf(attribute("noMap", value.Map{}), attribute("noList", value.List{})),
		"noMap.x, noList[0]":     {},
		"#pq":                    value.MapOf(attribute("p.q", y)),
		"#pq, m.p, l[0], gone.a": value.MapOf(attribute("p.q", y), m(attribute("p", x)), l(x)),
	} {
		names, _ := placeholdersIn(text, map[string]string{"#pq": "p.q"}, nil)
		got := mustProjection(t, text, names).Apply(item)
		require.NotNil(t, got, text)
		require.True(t, want.Equal(got), "%s: %v", text, got)
	}
}

func TestPathsOfAProjectionInOrder(t *testing.T) {
	t.Parallel()
	p := mustProjection(t, "b.c, #m[1], a, b.d", map[string]string{"#m": "map"})
	require.Equal(t, []string{"b", "map", "a"}, p.TopLevelNames())
	require.Equal(t, []expression.Path{{{Name: "b"}, {Name: "c"}}, {{Name: "map"}, {Index: 1}}, {{Name: "a"}}, {{Name: "b"}, {Name: "d"}}}, p.Paths())
}
