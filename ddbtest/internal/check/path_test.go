package check_test

import (
	"testing"

	"github.com/trestledb/trestle/ddbtest/internal/check"
	"github.com/trestledb/trestle/ddbtest/internal/expression"
	"github.com/trestledb/trestle/ddbtest/internal/store"
)

func path(first string, rest ...expression.Element) expression.Path {
	return append(expression.Path{{Name: first}}, rest...)
}

func TestKeyPaths(t *testing.T) {
	t.Parallel()
	_, table := newTable(&store.Index{Name: "one", Key: key("g:S", "|", "sk:N")}, &store.Index{Name: "two", Key: key("h:S", "i:N")})
	const scalars = "Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: "
	inside, first := expression.Element{Name: "x"}, expression.Element{Index: 0}
	for name, c := range map[string]struct {
		paths []expression.Path
		want  string
	}{
		"none":                         {nil, ""},
		"the keys themselves":          {[]expression.Path{path("pk"), path("sk"), path("g"), path("i")}, ""},
		"inside something else":        {[]expression.Path{path("x", inside), path("y", first)}, ""},
		"a key's name inside":          {[]expression.Path{path("x", expression.Element{Name: "pk"})}, ""},
		"inside the partition key":     {[]expression.Path{path("x"), path("pk", inside)}, scalars + "Key: pk"},
		"an element of the sort key":   {[]expression.Path{path("sk", first)}, scalars + "Key: sk"},
		"inside an index's key":        {[]expression.Path{path("g", inside)}, scalars + "IndexKey: g"},
		"an element of another's":      {[]expression.Path{path("i", first)}, scalars + "IndexKey: i"},
		"the table's before indexes'":  {[]expression.Path{path("g", inside), path("sk", inside)}, scalars + "Key: sk"},
		"in the order of the key":      {[]expression.Path{path("sk", inside), path("pk", first)}, scalars + "Key: pk"},
		"in the order of index's keys": {[]expression.Path{path("i", inside), path("h", first)}, scalars + "IndexKey: h"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			requireMessage(t, c.want, check.KeyPaths(table, c.paths))
		})
	}
}

func TestTargetsOfAnUpdate(t *testing.T) {
	t.Parallel()
	_, table := newTable(&store.Index{Name: "one", Key: key("g:S")})
	requireMessage(t, "", check.UpdateTargets(table, []expression.Path{path("x"), path("g"), path("x", expression.Element{Name: "pk"})}))
	for _, target := range []expression.Path{path("sk"), path("sk", expression.Element{Name: "x"})} {
		requireMessage(t, "One or more parameter values were invalid: Cannot update attribute sk. This attribute is part of the key",
			check.UpdateTargets(table, []expression.Path{path("x"), target}))
	}
}
