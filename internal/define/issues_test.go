package define_test

import (
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
)

// invalidCase is a definition with issues and their number.
type invalidCase struct {
	name   string
	issues int
	of     definition
}

// with returns a definition on a table with one index, GSI1.
func with(values ...any) definition {
	return definition{config: trestle.Config{Indexes: []trestle.IndexConfig{{Name: "GSI1"}}}, types: typesOf(values...)}
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

// invalidDefinitions returns the definitions of the golden files, by file name.
func invalidDefinitions() map[string][]invalidCase {
	return map[string][]invalidCase{
		"shards.txt":    invalidShards(),
		"templates.txt": invalidTemplates(),
		"tags.txt":      invalidTags(),
		"indexes.txt":   invalidIndexes(),
		"fields.txt":    invalidFields(),
		"roles.txt":     invalidRoles(),
		"tenants.txt":   invalidTenants(),
		"config.txt":    invalidConfigs(),
		"schema.txt":    invalidSchemas(),
	}
}

func TestIssues(t *testing.T) {
	t.Parallel()
	files := invalidDefinitions()
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
				_, issues := c.of.compile()
				require.Len(t, issues, c.issues, "%s\n%s", c.name, textOf(issues))
				require.NotRegexp(t, article, textOf(issues), c.name)
				g.add(c.name, textOf(issues))
			}
			g.check(t, file)
		})
	}
}
