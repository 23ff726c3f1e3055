package fault

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest/internal/value"
	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
)

// TestValidRulesAct creates random rules. Each valid rule acts on every operation that it
// names.
func TestValidRulesAct(t *testing.T) {
	t.Parallel()
	random := testrand.New(t)
	valid, invalid := 0, 0
	for range testsize.Pick(2_000, 10_000, 50_000) {
		spec := randomSpec(random)
		if Compile(spec, 1, 1).Err() != nil {
			invalid++
			continue
		}
		valid++
		require.True(t, acts(spec), "%+v", spec)
	}
	t.Logf("%d rules valid, %d invalid", valid, invalid)
	require.Positive(t, valid)
	require.Positive(t, invalid)
}

// TestValidRulesActControl does not validate the rules, and many never act.
func TestValidRulesActControl(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 0))
	inactive := 0
	for range 500 {
		if !acts(randomSpec(random)) {
			inactive++
		}
	}
	require.Positive(t, inactive)
}

// acts sends 20 requests of each operation that the rule names, or of all operations, even if the
// rule is invalid. It reports whether the rule acted on each operation that it names, or on any.
func acts(spec Spec) bool {
	names := spec.Operations
	if len(names) == 0 {
		names = Operations()
	}
	acted := 0
	for _, operation := range names {
		r := Compile(spec, 1, 1)
		for range 20 {
			for _, request := range variants(operation) {
				r.apply(new(Plan), request)
			}
		}
		if r.Hits() > 0 {
			acted++
		}
	}
	return acted == len(names) || acted > 0 && len(spec.Operations) == 0
}

// randomSpec returns a rule whose parts are valid each by itself, but maybe not in combination.
func randomSpec(random *rand.Rand) Spec {
	var s Spec
	for range random.IntN(3) {
		s.Operations = append(s.Operations, pick(random, Operations()))
	}
	if random.IntN(4) == 0 {
		s.Table = "T"
	}
	if random.IntN(6) == 0 {
		s.Index = "I"
	}
	if random.IntN(4) == 0 {
		s.Key = value.MapOf(value.Attribute{Name: "pk", Value: value.String("a")})
	}
	switch random.IntN(8) {
	case 0:
		s.Nth = 1 + random.IntN(5)
	case 1:
		s.Every, s.First = 1+random.IntN(5), random.IntN(8)
	case 2:
		s.Times, s.Rate = 1+random.IntN(5), 0.5
	case 3:
		s.Nth, s.First = 1+random.IntN(5), random.IntN(2)*random.IntN(5)
	}
	effects := []Effect{
		ResetConnection(), Conflict(), CollectionFull(), LateDuplicate(AfterRetry), EmptyPage(), CutPage(2), Unprocessed(1), Cancel(1, "ValidationError"),
		Cancel(1, "ConditionalCheckFailed"), TrimmedData(), ExpiredIterator(), InProgress(), Delay(time.Second), RefuseConnection(),
	}
	for range 1 + random.IntN(2) {
		s.Effects = append(s.Effects, pick(random, effects))
	}
	return s
}

func pick[E any](random *rand.Rand, from []E) E { return from[random.IntN(len(from))] }

// TestCounts evaluates a rule for 12 requests.
func TestCounts(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		spec Spec
		want []int
	}{
		"always":          {Spec{}, []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}},
		"Nth":             {Spec{Nth: 3}, []int{3}},
		"Every":           {Spec{Every: 5}, []int{5, 10}},
		"First":           {Spec{First: 2}, []int{1, 2}},
		"Every and First": {Spec{Every: 3, First: 7}, []int{3, 6}},
		"Every and Times": {Spec{Every: 2, Times: 3}, []int{2, 4, 6}},
		"certain":         {Spec{Rate: 1, Times: 1}, []int{1}},
		"never":           {Spec{Never: true}, nil},
	} {
		c.spec.Effects = []Effect{ResetConnection()}
		require.Equal(t, c.want, actsOn(Compile(c.spec, 1, 1), 12), name)
	}
}

// actsOn returns the numbers of the requests on which a rule acts.
func actsOn(r *Rule, requests int) []int {
	var acted []int
	for i := range requests {
		before := r.Hits()
		r.apply(new(Plan), request("GetItem"))
		if r.Hits() > before {
			acted = append(acted, i+1)
		}
	}
	return acted
}

// TestRate checks that the same seed selects the same requests, that other seeds
// select others, and that the number of requests fits the rate.
func TestRate(t *testing.T) {
	t.Parallel()
	spec := Spec{Rate: 0.25, Effects: []Effect{ResetConnection()}}
	first := actsOn(Compile(spec, 7, 1), 4_000)
	require.Equal(t, first, actsOn(Compile(spec, 7, 1), 4_000))
	require.False(t, slices.Equal(first, actsOn(Compile(spec, 8, 1), 4_000)))
	require.False(t, slices.Equal(first, actsOn(Compile(spec, 7, 2), 4_000)), "another rule of the same database")
	require.InDelta(t, 1_000, len(first), 150)
}

func TestInvalidSpecs(t *testing.T) {
	t.Parallel()
	reset := []Effect{ResetConnection()}
	for name, s := range map[string]Spec{
		"no effect":            {Operations: []string{"GetItem"}},
		"misspelled":           {Operations: []string{"UpdteItem"}, Effects: reset},
		"two replies":          {Effects: []Effect{ResetConnection(), InternalError()}},
		"twice the same reply": {Effects: []Effect{ResetConnection(), ResetConnection()}},
		"before and after":     {Effects: []Effect{ResetConnection(), AfterCommit(ResetConnection())}},
		"not a batch":          {Operations: []string{"GetItem"}, Effects: []Effect{Unprocessed(1)}},
		"one is not a batch":   {Operations: []string{"BatchWriteItem", "GetItem"}, Effects: []Effect{Unprocessed(1)}},
		"an index of a write":  {Operations: []string{"PutItem"}, Index: "I", Effects: reset},
		"a key of a page":      {Operations: []string{"Query"}, Key: value.Map{}, Effects: reset},
		"a table of none":      {Operations: []string{"ListTables"}, Table: "T", Effects: reset},
		"a key and an index":   {Key: value.Map{}, Index: "I", Effects: reset},
		"no common operation":  {Effects: []Effect{Unprocessed(1), EmptyPage()}},
		"a negative count":     {Every: -1, Effects: reset},
		"a large rate":         {Rate: 2, Effects: reset},
		"nth and more":         {Nth: 2, First: 1, Effects: reset},
		"too few":              {Every: 5, First: 4, Effects: reset},
	} {
		require.Error(t, Compile(s, 1, 1).Err(), name)
	}
}
