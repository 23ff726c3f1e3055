package define_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/internal/define"
)

// bad is a definition with faults, and how many there are.
type bad struct {
	name   string
	faults int
	of     definition
}

// with is a definition on a table with one index, GSI1.
func with(values ...any) definition {
	return definition{config: define.Config{Indexes: []define.Index{{Name: "GSI1"}}}, types: typesOf(values...)}
}

func TestFaults(t *testing.T) {
	t.Parallel()
	files := map[string][]bad{
		"templates.txt": badTemplates(),
		"tags.txt":      badTags(),
		"indexes.txt":   badIndexes(),
		"fields.txt":    badFields(),
		"roles.txt":     badRoles(),
		"config.txt":    badConfigs(),
		"schema.txt":    badSchemas(),
	}
	total := 0
	for _, cases := range files {
		total += len(cases)
	}
	require.GreaterOrEqual(t, total, 45)
	for file, cases := range files {
		t.Run(file, func(t *testing.T) {
			t.Parallel()
			var g golden
			for _, c := range cases {
				_, faults := c.of.compile()
				require.Len(t, faults, c.faults, "%s\n%s", c.name, define.Text(faults))
				g.add(c.name, define.Text(faults))
			}
			g.check(t, file)
		})
	}
}
