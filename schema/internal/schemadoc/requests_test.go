package schemadoc_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
	"github.com/trestledb/trestle/schema"
)

func documentedSchemas() map[string]documented {
	return map[string]documented{
		"parcels": documentedParcels(), "credits": documentedCredits(), "gauges": documentedGauges(),
		"guests": documentedGuests("", false), "guests without types": documentedGuests(entity.None, false), "guests by keys": documentedGuests("", true),
		"pets": documentedPets(), "pets without types": documentedPets("id"), "dogs": documentedDogs(),
	}
}

// TestChartMatchesRequests checks that a chart describes each request exactly, and lists every
// access pattern. The negative control uses charts with one mistake each.
func TestChartMatchesRequests(t *testing.T) {
	t.Parallel()
	for name, c := range documentedSchemas() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.NoError(t, c.schema.Err())
			rows, x := patternRows(schema.Chart(c.schema)), c.requests(t)
			require.Empty(t, x.differences(rows), schema.Chart(c.schema))
			controls := 0
			for mistake, wrong := range x.withMistakes(rows) {
				require.NotEmpty(t, x.differences(wrong), "%s: %q", mistake, wrong)
				controls++
			}
			require.Greater(t, controls, 6*len(rows))
		})
	}
}

// TestChartOfRandomSchemas checks the same for random schemas, with indexes of every kind and keys
// in every format.
func TestChartOfRandomSchemas(t *testing.T) {
	t.Parallel()
	testsize.SkipRace(t)
	r := testrand.New(t)
	want := testsize.Pick(150, 300, 600)
	tries, seen := 0, map[string]int{}
	missing := func() bool {
		return slices.ContainsFunc(rowKinds, func(kind string) bool { return seen[kind] == 0 })
	}
	// few schemas have rows with filters
	for valid := 0; valid < want || valid < 3*want && missing(); tries++ {
		require.Less(t, tries, 100*want, "too few schemas are valid")
		d := newRandomSchema(r)
		different, same := d.define(false), d.define(true)
		if different == nil || same == nil {
			continue
		}
		valid++
		chart := schema.Chart(same.schema)
		rows := patternRows(chart)
		countRows(seen, rows)
		x := same.requests(t)
		require.Empty(t, x.differences(rows), "%+v\n%s", d, chart)
		for mistake, wrong := range x.withMistakes(rows) {
			if r.IntN(20) == 0 {
				require.NotEmpty(t, x.differences(wrong), "%s: %q\n%+v\n%s", mistake, wrong, d, chart)
			}
		}
		// Types share a partition only if their values are equal.
		x = different.requests(t)
		x.sent = slices.DeleteFunc(x.sent, isCollection)
		require.Empty(t, x.differences(slices.DeleteFunc(rows, isCollection)), "%+v\n%s", d, chart)
	}
	t.Logf("%d valid schemas among %d, with rows %v", want, tries, seen)
	for _, kind := range rowKinds {
		require.Positive(t, seen[kind], kind)
	}
}

func isCollection(r patternRow) bool { return strings.HasPrefix(r.pattern, "collection of ") }

// rowKinds are the kinds of rows that the random schemas must produce.
var rowKinds = []string{"get", "query", "collection", "begins_with", "BETWEEN", "partition alone", "filter", "index", "shards"}

func countRows(seen map[string]int, rows []patternRow) {
	for _, r := range rows {
		kind, _, _ := strings.Cut(r.pattern, " ")
		seen[kind]++
		for _, operator := range []string{"begins_with", "BETWEEN"} {
			if strings.Contains(r.key, operator) {
				seen[operator]++
			}
		}
		if kind == "query" && !strings.Contains(r.key, " AND ") {
			seen["partition alone"]++
		}
		if r.filter != "" {
			seen["filter"]++
		}
		if r.index != onTable {
			seen["index"]++
		}
		if shards.MatchString(r.partitions) {
			seen["shards"]++
		}
	}
}
