package define_test

import (
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/internal/define"
)

// bad is a definition with faults and their number.
type bad struct {
	name   string
	faults int
	of     definition
}

// with returns a definition on a table with one index, GSI1.
func with(values ...any) definition {
	return definition{config: define.Config{Indexes: []define.Index{{Name: "GSI1"}}}, types: typesOf(values...)}
}

// article matches "a" or "an" before a word that needs the other, such as a type's name.
var article = regexp.MustCompile(`(?i)\ba [aeio]|\ban [b-df-gj-np-tv-z]`)

func TestArticle(t *testing.T) {
	t.Parallel()
	for _, wrong := range []string{"a int", "a interface {}", "an string", "A attribute", "not an define_test.Index"} {
		require.Regexp(t, article, wrong)
	}
	require.NotRegexp(t, article, "a time.Time, an integer, a uint8, an hour, a key of type int")
}

// badDefinitions returns the definitions of the golden files, by file name.
func badDefinitions() map[string][]bad {
	return map[string][]bad{
		"templates.txt": badTemplates(),
		"tags.txt":      badTags(),
		"indexes.txt":   badIndexes(),
		"fields.txt":    badFields(),
		"roles.txt":     badRoles(),
		"config.txt":    badConfigs(),
		"schema.txt":    badSchemas(),
	}
}

func TestFaults(t *testing.T) {
	t.Parallel()
	files := badDefinitions()
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
				require.NotRegexp(t, article, define.Text(faults), c.name)
				g.add(c.name, define.Text(faults))
			}
			g.check(t, file)
		})
	}
}
