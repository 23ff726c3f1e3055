package query_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
)

// Bounds are exact for keys of maximum length, which no character can extend, and for the last
// characters of Unicode, which have no successor.
func TestOperatorsOnTheLongestKeys(t *testing.T) {
	t.Parallel()
	const most = 1024 - len("S#")
	a, top := strings.Repeat("a", most), strings.Repeat("\U0010ffff", most/4)
	names := []string{
		a, a[:most-1], a[:most-1] + "b", a[:most-1] + "\x7f", a[:most-2], a[:most-2] + "b", a[:most-4] + "\U0010ffff", a[:most-3] + "\uffff",
		"b", top, top[4:], top[:len(top)-4] + "a", "\U0010ffff",
	}
	p := &path{pk: "P#<tenant>", sk: "S#<name>", lead: "S#", tenanted: true, parts: []part{{column: columns[0], form: textForms[0], last: true, delim: "#"}}}
	s := &randomTable{paths: []*path{p}, tenants: []string{"1"}, delim: "#", schema: entity.NewSchema(entity.Config{})}
	s.samples = entity.DefineSpec[sample](s.schema, entity.Spec{Type: "sample", Key: entity.KeySpec{PK: p.pk, SK: p.sk}})
	require.NoError(t, s.schema.Err())
	for i, name := range names {
		s.items = append(s.items, &sample{Tenant: "1", Serial: i, Name: name})
	}
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		client, r := e.Client(t), rand.New(rand.NewPCG(1, 2))
		s.fill(t.Context(), t, client, "longest")
		table, err := s.schema.Open(client, "longest", entity.PlainCursors())
		require.NoError(t, err)
		ask := asked(s.samples.In(table), &counting{Client: client}, r)
		for _, name := range names {
			for _, op := range []operator{opEq, opLt, opLe, opGt, opGe, opBegins} {
				q := question{path: p, tenant: "1", op: op, operands: []any{name}, desc: r.IntN(2) == 0, end: pick(r, byCollect, byPages, byCount), size: r.IntN(3)}
				require.Empty(t, s.judge(t.Context(), q, ask), "%d bytes, %s, %s", len(name), op, q.end)
			}
			for _, other := range names {
				q := question{path: p, tenant: "1", op: opBetween, operands: []any{name, other}, end: byCollect}
				require.Empty(t, s.judge(t.Context(), q, ask), "%d and %d bytes", len(name), len(other))
			}
		}
	})
}
