package differential

import (
	"slices"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
)

// leastMutants is the number of mutants that the comparison must at least detect.
const leastMutants = 20

// mutantEngine returns a database of package ddbtest behind a mutant.
func mutantEngine(t *testing.T, m mutant) engine {
	t.Helper()
	db := ddbtest.Start(t)
	client := mutate(m, db.HTTPClient())
	return engine{
		name:    "mutant",
		client:  db.Client(withoutRetries, func(o *dynamodb.Options) { o.HTTPClient = client }),
		streams: db.StreamsClient(func(o *dynamodbstreams.Options) { o.HTTPClient = client }),
	}
}

// mutantOperations is the number of operations within which every mutant must be found. The test
// stops earlier as a rule: a mutant is found after 30 to 1,600 operations on average. Over many
// seeds, a history of 400 steps finds the rarest one with a probability of 0.24, and of at least
// 0.12 with a confidence of 99 %. So 150 histories miss it with a probability below 1e-8.
const mutantOperations = 60_000

// Negative control of TestDifferential: the same comparison detects each mutant. The explanations
// do not apply.
func TestMutantsAreFound(t *testing.T) {
	t.Parallel()
	if testsize.Race {
		t.Skip("the control runs without the race detector")
	}
	mutants := slices.Concat(readMutants, writeMutants)
	require.GreaterOrEqual(t, len(mutants), leastMutants)
	for _, m := range mutants {
		t.Run(m.name, func(t *testing.T) {
			t.Parallel()
			requireFound(t, m, generate)
		})
	}
}

// requireFound requires that histories of a generator detect the mutant.
func requireFound(t *testing.T, m mutant, generate func(seed uint64, n, length int) history) {
	t.Helper()
	seed := testrand.Seed(t)
	p := pair{reference: inProcess(t), candidate: mutantEngine(t, m), known: explanations, generate: generate}
	got, err := runHistories(t.Context(), []pair{p}, seed, mutantOperations)
	require.NoError(t, err)
	require.NotNil(t, got.failure, "not found in %d operations", got.coverage[rowOperations])
	t.Logf("found after %d operations", got.coverage[rowOperations])
}

// The proxy itself must not alter anything.
func TestNoDifferenceWithoutMutation(t *testing.T) {
	t.Parallel()
	testsize.SkipRace(t)
	nothing := mutant{"nothing", func(x *exchange) reply { return x.pass() }}
	seed := testrand.Seed(t)
	for _, generate := range []func(uint64, int, int) history{generate, generateLegacy} {
		p := pair{reference: inProcess(t), candidate: mutantEngine(t, nothing), generate: generate}
		got, err := runHistories(t.Context(), []pair{p}, seed, 2000)
		require.NoError(t, err)
		requireNone(t, p, got.failure)
	}
}

// A failure is shrunk to a few steps, whatever its history.
func TestFailuresAreShrunk(t *testing.T) {
	t.Parallel()
	testsize.SkipRace(t)
	seed := testrand.Seed(t)
	forgets := mutant{"delete that returns nothing", on("DeleteItem", func(_ *exchange, out object) { delete(out, "Attributes") })}
	p := pair{reference: inProcess(t), candidate: mutantEngine(t, forgets), generate: generate}
	got, err := runHistories(t.Context(), []pair{p}, seed, mutantOperations)
	require.NoError(t, err)
	require.NotNil(t, got.failure)
	small := p.shrink(t.Context(), got.failure)
	t.Log(small)
	require.LessOrEqual(t, len(small.history.steps), 3, "a write and a delete")
	require.Equal(t, got.failure.differences[0].what, small.differences[0].what)
}
