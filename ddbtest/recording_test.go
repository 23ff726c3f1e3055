package ddbtest_test

import (
	"bytes"
	"context"
	"io"
	"math"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/internal/testsize"
)

// runConcurrently runs concurrent clients on a database with every kind of fault, and moves its
// clock.
func runConcurrently(t *testing.T, db *ddbtest.DB, requests int) {
	t.Helper()
	expireBy(t, db)
	for _, options := range [][]ddbtest.RuleOption{
		{ddbtest.Rate(0.05), ddbtest.AfterCommit(ddbtest.Reset)},
		{ddbtest.Rate(0.05), ddbtest.Reset},
		{ddbtest.Rate(0.1), ddbtest.LateDuplicate},
		{ddbtest.Rate(0.1), ddbtest.LateDuplicateAfterWrite},
		{ddbtest.Rate(0.2), ddbtest.UnprocessedRate(0.5)},
		{ddbtest.Rate(0.2), ddbtest.Conflict},
		{ddbtest.Rate(0.2), ddbtest.CutPage(1)},
		{ddbtest.Rate(0.1), ddbtest.EmptyPage},
		{ddbtest.Rate(0.1), ddbtest.Throttle()},
	} {
		db.Fail(options...)
	}
	snapshot := db.Snapshot()
	var all sync.WaitGroup
	for i := range 4 {
		client, random := db.Client(), rand.New(rand.NewPCG(db.Seed(), uint64(i)))
		all.Go(func() {
			for range requests {
				do := []func(context.Context, *dynamodb.Client) error{
					put, increment, get, query, scan, batchGet, batchWrite, transactGet, transactWrite, expiring(db),
				}[random.IntN(10)]
				_ = do(context.Background(), client) // errors are expected
				switch random.IntN(50) {
				case 0:
					db.Advance(time.Duration(random.Int64N(int64(time.Hour))))
				case 1:
					db.SetLag(ddbtest.Lag{Items: time.Duration(random.IntN(2)) * time.Minute, Indexes: ddbtest.UntilSettled})
				case 2:
					db.Settle()
				case 3:
					db.Restore(snapshot)
				}
			}
		})
	}
	all.Wait()
}

// expiring writes an item that expires an hour later.
func expiring(db *ddbtest.DB) func(context.Context, *dynamodb.Client) error {
	return func(ctx context.Context, c *dynamodb.Client) error {
		_, err := c.PutItem(ctx, &dynamodb.PutItemInput{TableName: aws.String(things), Item: thing("a", 2, attributes{
			"until": number(int(db.Now().Add(time.Hour).Unix())), "color": text("red"),
		})})
		return err
	}
}

// TestReplay repeats what four concurrent clients did, reply by reply, and compares the final
// state.
func TestReplay(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		db := setup(t, ddbtest.Options{Record: true, TTLDelay: time.Minute})
		t.Logf("seed %d", db.Seed())
		runConcurrently(t, db, testsize.Pick(100, 500, 2_000))
		db.ClearFaults()
		require.NoError(t, increment(t.Context(), db.Client()))
		var log bytes.Buffer
		require.NoError(t, db.WriteRecording(&log))
		written := log.String()
		again, err := ddbtest.Replay(&log)
		require.NoError(t, err)
		require.Equal(t, db.Dump(things), again.Dump(things))
		require.Equal(t, db.Seed(), again.Seed())
		require.Equal(t, db.Now().Round(0), again.Now().Round(0))
		require.NoError(t, increment(t.Context(), again.Client()), "it can be used from there")

		fork := db.Fork()
		require.NoError(t, increment(t.Context(), fork.Client()))
		log.Reset()
		require.NoError(t, fork.WriteRecording(&log))
		require.True(t, strings.HasPrefix(log.String(), written), "a fork's log has its origin's before it")
		again, err = ddbtest.Replay(&log)
		require.NoError(t, err)
		require.Equal(t, fork.Dump(things), again.Dump(things))
	})
}

// TestRecordingOfForeignSnapshot checks that WriteRecording fails after a snapshot of another
// database was restored.
func TestRecordingOfForeignSnapshot(t *testing.T) {
	t.Parallel()
	db := setup(t, ddbtest.Options{Record: true})
	before := db.Snapshot()
	fork := db.Fork()
	require.NoError(t, increment(t.Context(), db.Client()))
	after := db.Snapshot()
	for name, c := range map[string]struct {
		db       *ddbtest.DB
		snapshot *ddbtest.Snapshot
		known    bool
	}{
		"its own":                      {db.Fork(), after, true},
		"its origin's":                 {db.Fork(), before, true},
		"its origin's, since the fork": {fork, after, false},
		"another database's":           {ddbtest.New(ddbtest.Options{Record: true}), before, false},
	} {
		require.NoError(t, c.db.WriteRecording(io.Discard), name)
		c.db.Restore(c.snapshot)
		var log bytes.Buffer
		err := c.db.WriteRecording(&log)
		if !c.known {
			require.ErrorContains(t, err, "snapshot", name)
			require.Zero(t, log.Len(), name)
			continue
		}
		require.NoError(t, err, name)
		again, err := ddbtest.Replay(&log)
		require.NoError(t, err, name)
		require.Equal(t, c.db.Dump(things), again.Dump(things), name)
	}
}

// TestReplayAtTheLimitsOfTheClock records requests as far as the clock moves. Their times do not
// fit in nanoseconds since 1970.
func TestReplayAtTheLimitsOfTheClock(t *testing.T) {
	t.Parallel()
	for _, by := range []time.Duration{math.MaxInt64, math.MinInt64} {
		db := ddbtest.Start(t, ddbtest.Options{Record: true})
		db.Advance(by)
		db.CreateTable(t, thingsTable()) // the reply has the time
		var log bytes.Buffer
		require.NoError(t, db.WriteRecording(&log))
		replayed, err := ddbtest.Replay(&log)
		require.NoError(t, err)
		require.Equal(t, db.Hash(), replayed.Hash())
		require.WithinDuration(t, db.Now(), replayed.Now(), time.Minute)
	}
}

// TestReplayControl changes a log and checks that Replay reports the first reply that differs.
func TestReplayControl(t *testing.T) {
	t.Parallel()
	db := setup(t, ddbtest.Options{Record: true})
	for range 3 {
		require.NoError(t, increment(t.Context(), db.Client()))
	}
	require.NoError(t, query(t.Context(), db.Client()))
	var log bytes.Buffer
	require.NoError(t, db.WriteRecording(&log))
	lines := strings.SplitAfter(log.String(), "\n")
	lost := -1
	for i, line := range lines {
		if strings.Contains(line, "UpdateItem") {
			lost = i
		}
	}
	shorter := strings.Join(append(append([]string(nil), lines[:lost]...), lines[lost+1:]...), "")
	again, err := ddbtest.Replay(strings.NewReader(shorter))
	var divergence *ddbtest.Divergence
	require.ErrorAs(t, err, &divergence)
	require.Equal(t, "Query", divergence.Operation)
	require.Contains(t, divergence.Want, `"3"`)
	require.Contains(t, divergence.Got, `"2"`)
	require.NotContains(t, divergence.Error(), `"3"`, "no value in the text")
	require.Equal(t, 2, n(t, again))
}

func TestInvalidRecordings(t *testing.T) {
	t.Parallel()
	require.Error(t, ddbtest.New(ddbtest.Options{}).WriteRecording(new(bytes.Buffer)), "nothing was recorded")
	const header = `{"ddbtestRecording":2,"options":{}}` + "\n"
	for _, log := range []string{
		"", "{", "{}", "[]", "{}\n" + header, `{"ddbtestRecording":0,"options":{}}`, `{"ddbtestRecording":2}`,
		`{"ddbtestRecording":1,"options":{}}`, `{"Region":"us-east-1"}`, `{"tables":[],"items":{}}`, thingA, `{"Items":[` + thingA + `]}`,
		header + "[]", header + "{", header + `{"kind":"nothing"}`, header + `{"kind":"restore","snapshot":3}`,
		header + `{"kind":"request","operation":"GetItem","body":"x"}`, header + `{"kind":"request"}`,
	} {
		_, err := ddbtest.Replay(strings.NewReader(log))
		require.Error(t, err, log)
	}
	for _, log := range []string{
		`{"ddbtestRecording":2,"options":{"Seed":"secret"}}`, `{"secret"`, `{"secret":"secret"}`, `"secret"`, `{"ddbtestRecording":"secret"}`,
		header + `{"at":"secret"}`, header + `{"kind":"secret"}`, header + `{"secret"`,
		header + `{"kind":"request","operation":"GetItem","body":{"TableName":"ttt","Key":{"pk":{"N":"secret"}}}}`,
		header + `{"kind":"request","operation":"GetItem","body":{"TableName":"ttt","Key":{"pk":{"S":"secret"}}}}`,
	} {
		_, err := ddbtest.Replay(strings.NewReader(log))
		require.Error(t, err, log)
		require.NotContains(t, err.Error(), "secret", "no value in the text")
	}
	db, err := ddbtest.Replay(strings.NewReader(header))
	require.NoError(t, err)
	require.Empty(t, db.Dump(things))
}

// TestReplayErrorsContainNoValues checks that errors of Replay contain no values of the log.
func TestReplayErrorsContainNoValues(t *testing.T) {
	t.Parallel()
	db := setup(t, ddbtest.Options{Record: true})
	client := db.Client()
	require.NoError(t, put(t.Context(), client))
	require.NoError(t, get(t.Context(), client))
	var log bytes.Buffer
	require.NoError(t, db.WriteRecording(&log))

	another := strings.Replace(log.String(), `"n":{"N":"1"}`, `"n":{"N":"7654"}`, 1)
	_, err := ddbtest.Replay(strings.NewReader(another))
	var differs *ddbtest.Divergence
	require.ErrorAs(t, err, &differs)
	require.ErrorContains(t, err, "Item.n.N")
	require.Contains(t, differs.Got, "7654")
	require.NotContains(t, err.Error(), "7654")

	unreadable := strings.Replace(log.String(), `"n":{"N":"1"}`, `"n":{"N":7654}`, 1)
	_, err = ddbtest.Replay(strings.NewReader(unreadable))
	require.ErrorContains(t, err, "line 4")
	require.NotContains(t, err.Error(), "7654")
}
