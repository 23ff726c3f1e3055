package expression_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest/internal/expression"
	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// The charges were measured at the service, one byte below and above the limit.
func TestChargeOfAnUpdate(t *testing.T) {
	t.Parallel()
	ten := value.String(strings.Repeat("y", 10))
	values := map[string]value.Value{
		":ten": ten, ":one": number("1"), ":list": value.List{ten}, ":e": value.List{value.String("e")}, ":v": value.String("v"),
		":map": value.MapOf(attribute("a", value.String(strings.Repeat("y", 100)))), ":set": value.StringSet{strings.Repeat("s", 500)},
	}
	const update, set, remove = 3, 19, 1
	for text, want := range map[string]int{
		"SET b = :ten":                          set + 1 + 10,
		"SET b = :ten, c = :v":                  set + 1 + 10 + set + 1 + 1,
		"SET #long = :ten":                      set + 4 + 10,
		"SET b = :ten REMOVE r":                 set + 1 + 10 + remove + 1,
		"SET d.leaf = :ten":                     set + 1 + 4 + 4 + 10,
		"SET d[0] = :ten":                       set + 1 + 4 + 1 + 10,
		"SET c = abcdefghij":                    set + 1 + 1 + 14 + 10,
		"SET c = m.a.z":                         set + 1 + 1 + 14 + 1 + 14 + 1 + 14 + 1,
		"SET c = l[10]":                         set + 1 + 1 + 14 + 1 + 14 + 2,
		"SET l = list_append(l, :list)":         set + 1 + 37 + 1 + 14 + 1 + 3 + 1 + 10,
		"SET l = list_append(:e, :list)":        set + 1 + 37 + 3 + 1 + 1 + 3 + 1 + 10,
		"SET c = if_not_exists(c, :map)":        set + 1 + 39 + 1 + 14 + 1 + 3 + 1 + 1 + 100,
		"SET n = n + :one":                      set + 1 + 34 + 1 + 14 + 1 + 2,
		"SET n = n - :one":                      set + 1 + 37 + 1 + 14 + 1 + 2,
		"SET n = if_not_exists(n, :one) + :one": set + 1 + 34 + 39 + 1 + 14 + 1 + 2 + 2,
		"ADD abcdefghij :one":                   set + 10 + 2,
		"ADD ss :set":                           set + 2 + 500,
		"REMOVE abcdefghij":                     remove + 10,
		"REMOVE m.yyyyyyyyyy":                   remove + 1 + 4 + 10,
		"REMOVE l[10]":                          remove + 1 + 4 + 2,
		"DELETE abcdefghij :set":                remove + 10,
	} {
		n, v := placeholdersIn(text, map[string]string{"#long": "name"}, values)
		p, err := expression.NewPlaceholders(n, v)
		require.NoError(t, err)
		u, err := expression.ParseUpdate(text, p)
		require.NoError(t, err, text)
		require.Equal(t, update+want, u.Charge(), text)
	}
}
