package define_test

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/define"
)

// FuzzCompile checks that no Spec causes a panic, that every issue can be formatted, and that a
// plan without issues is complete.
func FuzzCompile(f *testing.F) {
	f.Add("order", "CUST#<customer>", "ORDER#<id>", "by-status", "GSI1", "STATUS#<status>", "<placed_at:s>", "placed_at", "created")
	f.Add("", "<id", "<idd>#$", "", "", "", "", "id", "unique")
	f.Add("order", "<id>", "<placed_at>", "x", "many", "<customer>,<status>", "<id>, <placed_at:day,desc>", "id", "key")
	f.Add("order", "A", "A", "x", "local", "<id>", "\x00<shard>", "", "")
	f.Add("order", "U#{id}", "${placed_at}#%s", "x", "GSI1", "{{.ID}}{", ":id#<status:upper>", "status", "key")
	config := trestle.Config{Indexes: []trestle.IndexConfig{
		{Name: "GSI1"}, {Name: "local", Kind: trestle.LocalIndex}, {Name: "inverted", Partition: []core.Attribute{named("SK")}, Sort: []core.Attribute{named("PK")}},
		{Name: "many", Partition: []core.Attribute{named("a"), named("b")}, Sort: []core.Attribute{named("c"), named("d")}},
	}}
	f.Fuzz(func(t *testing.T, name, pk, sk, access, on, xpk, xsk, field, role string) {
		s, _ := define.Schema(config)
		plan, issues := define.Compile(s, reflect.TypeFor[Plain18](), markers, &trestle.Spec{
			Type: name, Key: trestle.KeySpec{PK: pk, SK: sk},
			Indexes: []trestle.IndexSpec{{Name: access, On: on, PK: xpk, SK: xsk}},
			Roles:   map[string]string{field: role},
		})
		s.Add(plan)
		issues = append(issues, define.Validate(s)...)
		for _, issue := range issues {
			require.NotEmpty(t, issue.Reason)
			require.LessOrEqual(t, issue.Offset, len(issue.Text))
			require.NotEmpty(t, issue.String())
		}
		if len(issues) == 0 {
			requireWhole(t, s, plan)
		}
	})
}

// requireWhole checks the properties of plans on which other packages rely.
func requireWhole(t *testing.T, s *core.Schema, p *core.Plan) {
	t.Helper()
	require.NotEmpty(t, p.Name)
	require.Len(t, p.Table.Partition, 1)
	require.Len(t, p.Access, 1)
	seen := map[string]bool{}
	for _, a := range p.Attrs {
		require.False(t, seen[a.Name], "each once")
		seen[a.Name] = true
		require.NotNil(t, a.Template)
		require.Len(t, a.Members, len(a.Template.Fields()))
		for _, m := range a.Members {
			require.NotNil(t, m)
		}
		require.True(t, a.Parse == nil || len(a.Parse) == len(a.Members))
		require.True(t, s.IsSystem(a.Name))
	}
	for _, x := range p.Indexes {
		require.Len(t, x.Key.Partition, len(x.Index.Partition))
		require.Len(t, x.Key.Sort, len(x.Index.Sort))
	}
}
