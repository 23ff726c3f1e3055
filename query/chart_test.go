package query_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
)

func chartedSchemas() map[string]charted {
	return map[string]charted{
		"people": chartedPeople(), "films": chartedFilms(), "parcels": chartedParcels(), "credits": chartedCredits(), "gauges": chartedGauges(),
		"guests": chartedGuests("", false), "guests without types": chartedGuests(entity.None, false), "guests by keys": chartedGuests("", true),
		"pets": chartedPets(), "pets without types": chartedPets("id"), "dogs": chartedDogs(),
	}
}

// A sheet describes each request exactly, and lists every access pattern. The negative control uses
// sheets with one mistake each.
func TestSheetsSayWhatIsSent(t *testing.T) {
	t.Parallel()
	for name, c := range chartedSchemas() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.NoError(t, c.schema.Err())
			sheet, x := patternRows(c.schema.Chart()), c.interview(t)
			require.Empty(t, x.differences(sheet), c.schema.Chart())
			controls := 0
			for mistake, wrong := range x.spoiled(sheet) {
				require.NotEmpty(t, x.differences(wrong), "%s: %q", mistake, wrong)
				controls++
			}
			require.Greater(t, controls, 6*len(sheet))
		})
	}
}

// The same holds for random schemas, with indexes of every kind and keys in every format.
func TestSheetsOfRandomSchemas(t *testing.T) {
	t.Parallel()
	r := testrand.New(t)
	want := testsize.Pick(150, 500, 2000)
	tries, met := 0, map[string]int{}
	missing := func() bool {
		return slices.ContainsFunc(rowKinds, func(kind string) bool { return met[kind] == 0 })
	}
	// few schemas have rows with filters
	for sound := 0; sound < want || sound < 3*want && missing(); tries++ {
		require.Less(t, tries, 100*want, "schemas are hardly ever sound")
		d := drawSchema(r)
		different, same := d.define(false), d.define(true)
		if different == nil || same == nil {
			continue
		}
		sound++
		chart := same.schema.Chart()
		sheet := patternRows(chart)
		tally(met, sheet)
		x := same.interview(t)
		require.Empty(t, x.differences(sheet), "%+v\n%s", d, chart)
		for mistake, wrong := range x.spoiled(sheet) {
			if r.IntN(20) == 0 {
				require.NotEmpty(t, x.differences(wrong), "%s: %q\n%+v\n%s", mistake, wrong, d, chart)
			}
		}
		// Types share a partition only if their values are equal.
		x = different.interview(t)
		x.sent = slices.DeleteFunc(x.sent, isCollection)
		require.Empty(t, x.differences(slices.DeleteFunc(sheet, isCollection)), "%+v\n%s", d, chart)
	}
	t.Logf("%d sound schemas among %d, with rows %v", want, tries, met)
	for _, kind := range rowKinds {
		require.Positive(t, met[kind], kind)
	}
}

func isCollection(r patternRow) bool { return strings.HasPrefix(r.pattern, "collection of ") }

// rowKinds are the kinds of rows that the random schemas must produce.
var rowKinds = []string{"get", "query", "collection", "begins_with", "BETWEEN", "partition alone", "filter", "index"}

func tally(met map[string]int, sheet []patternRow) {
	for _, r := range sheet {
		kind, _, _ := strings.Cut(r.pattern, " ")
		met[kind]++
		for _, operator := range []string{"begins_with", "BETWEEN"} {
			if strings.Contains(r.key, operator) {
				met[operator]++
			}
		}
		if kind == "query" && !strings.Contains(r.key, " AND ") {
			met["partition alone"]++
		}
		if r.filter != "" {
			met["filter"]++
		}
		if r.index != onTable {
			met["index"]++
		}
	}
}
