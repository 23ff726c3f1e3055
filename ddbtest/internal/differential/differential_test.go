package differential

import (
	"context"
	"flag"
	"slices"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
)

// An operation takes about 2.5 ms, most of it in DynamoDB Local. `make fuzz` runs a million, and a
// hundred thousand with legacy parameters.
var flagOperations = flag.Int("operations", testsize.Pick(2_500, 4_000, 16_000), "how many operations each of the comparisons runs")

func TestMain(m *testing.M) { goleak.VerifyTestMain(engines.Main(m)) }

// withoutRetries disables retries, so that a server failure is visible.
func withoutRetries(o *dynamodb.Options) { o.Retryer = aws.NopRetryer{} }

// inProcess returns a fresh database of package ddbtest.
func inProcess(t *testing.T) engine {
	t.Helper()
	db := ddbtest.Start(t)
	return engine{name: "ddbtest", client: db.Client(withoutRetries), streams: db.StreamsClient()}
}

// local returns a fresh database of DynamoDB Local.
func local(t *testing.T) engine {
	t.Helper()
	client := engines.Local(t).Client(t, withoutRetries)
	o := client.Options()
	streams := dynamodbstreams.New(dynamodbstreams.Options{
		Region: o.Region, BaseEndpoint: o.BaseEndpoint, Credentials: o.Credentials, HTTPClient: typedImages{o.HTTPClient}, Retryer: aws.NopRetryer{},
	})
	return engine{name: "DynamoDB Local", client: client, streams: streams, loose: true}
}

// concurrentHistories is the number of concurrent histories, each with its own databases.
const concurrentHistories = 4

// freshPair returns DynamoDB Local and package ddbtest, each with its own database.
func freshPair(t *testing.T) pair {
	t.Helper()
	return pair{reference: local(t), candidate: inProcess(t), known: explanations, renew: func() pair { return freshPair(t) }, generate: generate}
}

func TestDifferential(t *testing.T) {
	t.Parallel()
	got := compareEngines(t, *flagOperations, generate, coverage.missing)
	require.Empty(t, got.unknownErrors())
}

// compareEngines runs histories on DynamoDB Local and on package ddbtest, and requires that they
// agree. It returns the coverage, from which nothing is missing.
func compareEngines(t *testing.T, operations int, generate func(seed uint64, n, length int) history, missing func(coverage) []string) coverage {
	t.Helper()
	seed := testrand.Seed(t)
	var pairs []pair
	for range concurrentHistories {
		p := freshPair(t)
		p.generate = generate
		pairs = append(pairs, p)
	}
	got, err := runHistories(t.Context(), pairs, seed, operations)
	require.NoError(t, err)
	// Rare parts may be missed by chance. Then further seeds are run, up to four times as many
	// operations in total, and at least 20,000.
	most := max(4*operations, 20_000)
	for got.failure == nil && len(missing(got.coverage)) > 0 && got.coverage[rowOperations] < most {
		t.Logf("too little with seed %d: %s", seed, missing(got.coverage))
		seed++
		next, err := runHistories(t.Context(), pairs, seed, operations/4)
		require.NoError(t, err)
		got.add(next)
	}
	t.Logf("coverage:\n%s", got.coverage)
	t.Logf("explained:\n%s", coverage(got.explained))
	requireNone(t, pairs[0], got.failure)
	require.Empty(t, missing(got.coverage))
	return got.coverage
}

// requireNone fails the test with a short history that reproduces the difference.
func requireNone(t *testing.T, p pair, f *failure) {
	t.Helper()
	if f != nil {
		t.Fatalf("the engines differ:\n%s", p.shrink(context.WithoutCancel(t.Context()), f))
	}
}

// The generator must be deterministic, so that failures can be reproduced.
func TestHistoriesAreDeterministic(t *testing.T) {
	t.Parallel()
	seed := testrand.Seed(t)
	for _, generate := range []func(uint64, int, int) history{generate, generateLegacy} {
		for n := range 10 {
			first, again := stepsOf(generate(seed, n, 200)), stepsOf(generate(seed, n, 200))
			require.Equal(t, first, again)
			require.NotEqual(t, first, stepsOf(generate(seed+1, n, 200)), "the control")
		}
	}
}

func stepsOf(h history) []string {
	var all []string
	for _, t := range h.tables {
		all = append(all, t.String())
	}
	for _, op := range h.steps {
		all = append(all, op.String())
	}
	return all
}

// The generator relies on the order of the pools for the bounds of ranges.
func TestPoolsAreSorted(t *testing.T) {
	t.Parallel()
	require.True(t, slices.IsSorted(keyTexts))
	require.True(t, slices.IsSorted(keyBinaries))
	require.True(t, slices.IsSortedFunc(numbers, func(a, b string) int {
		switch {
		case lessNumber(a, b):
			return -1
		case lessNumber(b, a):
			return 1
		}
		return 0
	}))
	require.False(t, slices.IsSorted(numbers), "as texts they are not, or numbers ordered as texts would not show")
}
