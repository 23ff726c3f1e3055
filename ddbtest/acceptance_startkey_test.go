package ddbtest_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestLastEvaluatedKey checks that a LastEvaluatedKey has exactly the key attributes of the table
// and the index.
func TestLastEvaluatedKey(t *testing.T) {
	t.Parallel()
	table := tableOf(
		"pk:S sk:N", ix{name: "local", key: "pk:S x:N", local: true, holds: "*"}, ix{name: "hash", key: "g:S", holds: "*"}, ix{name: "both", key: "g:S x:N"},
		ix{name: "inverted", key: "sk:N pk:S"}, ix{name: "multi", key: "g:S x:N | a:S b:S c:S d:S"},
	)
	onEveryEngine(t, table, func(s *session) {
		for i := range 3 {
			s.put(row("pk", "p", "sk", i, "g", "g", "x", 1, "a", "a", "b", "b", "c", "c", "d", "d", "more", "more"))
			s.put(row("pk", string(rune('a'+i)), "sk", 0, "g", "g", "x", 1, "a", "a", "b", "b", "c", "c", "d", "d", "more", "more"))
		}
		for index, c := range map[string]struct {
			view view
			want []string
		}{
			"":         {view{key: "pk = :p", values: row(":p", "p")}, []string{"pk", "sk"}},
			"local":    {view{key: "pk = :p", values: row(":p", "p")}, []string{"pk", "sk", "x"}},
			"hash":     {view{key: "g = :g", values: row(":g", "g")}, []string{"g", "pk", "sk"}},
			"both":     {view{key: "g = :g", values: row(":g", "g")}, []string{"g", "pk", "sk", "x"}},
			"inverted": {view{key: "sk = :n", values: row(":n", 0)}, []string{"pk", "sk"}},
			"multi":    {view{key: "g = :g AND x = :one", values: row(":g", "g", ":one", 1)}, []string{"a", "b", "c", "d", "g", "pk", "sk", "x"}},
		} {
			for _, v := range []view{c.view, {}} {
				v.index, v.limit = index, 2
				for _, v.project = range []string{"", "sk"} {
					p, err := s.page(v, nil)
					require.NoError(s, err)
					require.Equal(s, c.want, slices.Sorted(maps.Keys(p.last)), "%q %q", index, v.key)
					next, err := s.page(v, p.last)
					require.NoError(s, err)
					require.NotEmpty(s, next.items)
				}
			}
		}
	})
}

func TestInvalidExclusiveStartKey(t *testing.T) {
	t.Parallel()
	table := tableOf("pk:S sk:N", ix{name: "local", key: "pk:S x:N", local: true, holds: "*"}, ix{name: "global", key: "g:S x:N"})
	onEveryEngine(t, table, func(s *session) {
		for i := range 9 {
			s.put(row("pk", "p", "sk", i, "g", "g", "x", i))
		}
		query := view{key: "pk = :p AND sk < :n", values: row(":p", "p", ":n", 5)}
		local := view{index: "local", key: "pk = :p", values: row(":p", "p")}
		global := view{index: "global", key: "g = :g", values: row(":g", "g")}
		for _, c := range []struct {
			name  string
			view  view
			start attributes
		}{
			{"half a key", query, row("pk", "p")},
			{"too many attributes", query, row("pk", "p", "sk", 1, "x", 1)},
			{"a wrong type", query, row("pk", "p", "sk", "1")},
			{"another attribute", query, row("pk", "p", "x", 1)},
			{"another partition", query, row("pk", "q", "sk", 1)},
			{"a key beyond the range", query, row("pk", "p", "sk", 7)},
			{"the table's key for a local index", local, row("pk", "p", "sk", 1)},
			{"another partition of a local index", local, row("pk", "q", "sk", 1, "x", 1)},
			{"a wrong type of a local index", local, row("pk", "p", "sk", 1, "x", "1")},
			{"the table's key for a global index", global, row("pk", "p", "sk", 1)},
			{"the index's key alone", global, row("g", "g", "x", 1)},
			{"another partition of a global index", global, row("pk", "p", "sk", 1, "g", "h", "x", 1)},
			{"half a key for a scan", view{}, row("pk", "p")},
			{"a wrong type for a scan", view{}, row("pk", 1, "sk", 1)},
			{"the table's key for a scan of an index", view{index: "global"}, row("pk", "p", "sk", 1)},
		} {
			_, err := s.page(c.view, c.start)
			wantCode(s, invalid, err, c.name)
		}
		for _, c := range []struct {
			view  view
			start attributes
			want  []string
		}{
			{query, row("pk", "p", "sk", num("2.5")), []string{"3", "4"}},
			{query, row("pk", "p", "sk", -1), []string{"0", "1", "2", "3", "4"}},
			{view{key: query.key, values: query.values, backward: true}, row("pk", "p", "sk", num("2.5")), []string{"2", "1", "0"}},
			{local, row("pk", "p", "sk", 99, "x", 6), []string{"7", "8"}},
			{global, row("pk", "none", "sk", 99, "g", "g", "x", num("6.5")), []string{"7", "8"}},
		} {
			p, err := s.page(c.view, c.start)
			require.NoError(s, err)
			require.Equal(s, c.want, each(p.items, "sk"), "a row with the key need not be there")
		}
	})
}
