package ddbtest_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// invalidRead is an invalid read of a table with the key pk and sk. The table has one row with n =
// 1, t = "x", l = [1], m = {x: 1} and ss = {"x"}.
type invalidRead struct {
	filter, project string
	names           map[string]string
	values          attributes
}

// invalidReads are invalid for any data.
var invalidReads = map[string]invalidRead{
	"an unused value":                {filter: "n = :v", values: row(":v", 1, ":w", 2)},
	"an unused name":                 {filter: "n = :v", names: map[string]string{"#a": "a"}, values: row(":v", 1)},
	"an undefined value":             {filter: "n = :w", values: row(":v", 1)},
	"an undefined value alone":       {filter: "n = :w"},
	"an undefined name":              {filter: "#b = :v", names: map[string]string{"#a": "a"}, values: row(":v", 1)},
	"an undefined name, projected":   {project: "m.#x"},
	"an unused name, projected":      {project: "m", names: map[string]string{"#x": "x"}},
	"names for nothing":              {names: map[string]string{"#x": "x"}},
	"values for nothing":             {values: row(":v", 1)},
	"a path twice":                   {project: "m, n, m"},
	"a path and one below it":        {project: "m, m.x"},
	"a path below, and it":           {project: "l[0], n, l"},
	"a list and a map at once":       {project: "m.x, m[0]"},
	"the same path by two names":     {project: "#a, #b", names: map[string]string{"#a": "m", "#b": "m"}},
	"a reversed BETWEEN":             {filter: "n BETWEEN :hi AND :v", values: row(":v", 1, ":hi", 2)},
	"a reversed BETWEEN of texts":    {filter: "t BETWEEN :hi AND :v", values: row(":v", "a", ":hi", "b")},
	"a BETWEEN of two types":         {filter: "n BETWEEN :v AND :x", values: row(":v", 1, ":x", "x")},
	"a BETWEEN of lists":             {filter: "l BETWEEN :v AND :v", values: row(":v", []any{1})},
	"a map in order":                 {filter: "m < :v", values: row(":v", map[string]any{"x": 1})},
	"a truth in order":               {filter: "n >= :v", values: row(":v", true)},
	"begins_with of a number":        {filter: "begins_with(t, :v)", values: row(":v", 1)},
	"begins_with of three":           {filter: "begins_with(t, :v, :v)", values: row(":v", "x")},
	"attribute_exists of a value":    {filter: "attribute_exists(:v)", values: row(":v", "x")},
	"attribute_type of no type":      {filter: "attribute_type(t, :v)", values: row(":v", "text")},
	"attribute_type of a number":     {filter: "attribute_type(t, :v)", values: row(":v", 1)},
	"contains of the same":           {filter: "contains(t, t)"},
	"a comparison with itself":       {filter: "n = n"},
	"size of a number":               {filter: "size(:v) = :v", values: row(":v", 1)},
	"a function that is none":        {filter: "starts_with(t, :v)", values: row(":v", "x")},
	"a function of updates":          {filter: "if_not_exists(n, :v) = :v", values: row(":v", 1)},
	"a function that is no question": {filter: "size(t)"},
	"a value that is no question":    {filter: ":v", values: row(":v", true)},
	"no comma":                       {project: "m n"},
	"a reserved word":                {filter: "size = :v", values: row(":v", 1)},
	"a reserved word, projected":     {project: "m, name"},
	"an index that is negative":      {project: "l[-1]"},
	"brackets too many":              {filter: "(((n = :v)))", values: row(":v", 1)},
}

// reservedWordCase is a known difference: DynamoDB Local accepts size as a name.
const reservedWordCase = "a reserved word"

// TestInvalidReads covers queries and scans of a table and an index, with and without rows
// to read.
func TestInvalidReads(t *testing.T) {
	t.Parallel()
	onEveryEngine(t, tableOf("pk:S sk:N", ix{name: "global", key: "g:S", holds: "*"}), func(s *session) {
		s.put(row("pk", "a", "sk", 1, "n", 1, "t", "x", "l", []any{1}, "m", map[string]any{"x": 1}, "ss", texts{"x"}, "g", "g"))
		for name, w := range invalidReads {
			if s.local && name == reservedWordCase {
				continue
			}
			for _, v := range []view{{}, {key: "pk = :pk"}, {key: "g = :pk", index: "global"}, {index: "global"}} {
				v.filter, v.project, v.names, v.values = w.filter, w.project, w.names, attributes{}
				for value, of := range w.values {
					v.values[value] = of
				}
				if v.key != "" {
					if name == "values for nothing" {
						continue
					}
					v.values[":pk"] = text("g")
				}
				_, err := s.page(v, nil)
				wantCode(s, invalid, err, "%s: %+v", name, v)
			}
		}
		require.Len(s, s.all(view{filter: "size(t) = :v AND n BETWEEN :v AND :v", values: row(":v", 1), project: "m.x, l[0]"}), 1, "what is right is taken")
	})
}

func TestInvalidKeyConditions(t *testing.T) {
	t.Parallel()
	onEveryEngine(t, tableOf("pk:S sk:N", ix{name: "global", key: "g:S t:S", holds: "*"}), func(s *session) {
		s.put(row("pk", "a", "sk", 1, "g", "a", "t", "x"))
		for _, c := range []struct {
			index, key string
			values     attributes
		}{
			{"", "pk = :a AND sk BETWEEN :two AND :one", row(":a", "a", ":one", 1, ":two", 2)},
			{"global", "g = :a AND t BETWEEN :b AND :a", row(":a", "a", ":b", "b")},
			{"", "pk = :a AND sk BETWEEN :one AND :a", row(":a", "a", ":one", 1)},
			{"", "pk = :a AND sk = :a", row(":a", "a")},
			{"", "pk = :one", row(":one", 1)},
			{"", "pk = :a AND begins_with(sk, :one)", row(":a", "a", ":one", 1)},
			{"", "pk < :a", row(":a", "a")},
			{"", "begins_with(pk, :a)", row(":a", "a")},
			{"", "pk = :a OR sk = :one", row(":a", "a", ":one", 1)},
			{"", "NOT pk = :a", row(":a", "a")},
			{"", "pk = :a AND NOT sk = :one", row(":a", "a", ":one", 1)},
			{"", "pk = :a AND sk <> :one", row(":a", "a", ":one", 1)},
			{"", "pk = :a AND sk IN (:one)", row(":a", "a", ":one", 1)},
			{"", "pk = :a AND sk > :one AND sk < :two", row(":a", "a", ":one", 1, ":two", 2)},
			{"", "pk = :a AND pk = :a", row(":a", "a")},
			{"", "pk = :a AND t = :a", row(":a", "a")},
			{"", "sk = :one", row(":one", 1)},
			{"", "attribute_exists(pk)", nil},
			{"", "pk = :a AND attribute_exists(sk)", row(":a", "a")},
			{"", "pk = :a AND size(sk) = :one", row(":a", "a", ":one", 1)},
			{"", "pk.x = :a", row(":a", "a")},
			{"", "pk = :empty", row(":empty", "")},
			{"global", "g = :a AND t > :empty", row(":a", "a", ":empty", "")},
			{"global", "pk = :a", row(":a", "a")},
			{"global", "g = :a AND sk = :one", row(":a", "a", ":one", 1)},
			{"global", "g = :a AND begins_with(t, :one)", row(":a", "a", ":one", 1)},
			{"", "pk = :a AND sk = :nothing", row(":a", "a")},
			{"", "pk = :a", row(":a", "a", ":unused", 1)},
		} {
			_, err := s.page(view{index: c.index, key: c.key, values: c.values}, nil)
			wantCode(s, invalid, err, c.key)
		}
		for _, right := range []view{
			{key: "pk = :a AND sk BETWEEN :one AND :one", values: row(":a", "a", ":one", 1)},
			{key: "(pk = :a) AND (sk >= :one)", values: row(":a", "a", ":one", 1)},
			{key: ":a = pk AND :one <= sk", values: row(":a", "a", ":one", 1)},
			{index: "global", key: "g = :a AND begins_with(t, :x)", values: row(":a", "a", ":x", "x")},
		} {
			p, err := s.page(right, nil)
			require.NoError(s, err, right.key)
			require.Len(s, p.items, 1, right.key)
		}
	})
}
