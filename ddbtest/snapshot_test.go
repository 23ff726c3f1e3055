package ddbtest_test

import (
	"math"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/internal/testsize"
)

func TestSnapshots(t *testing.T) {
	t.Parallel()
	db := setup(t)
	client := db.Client()
	snapshots := []*ddbtest.Snapshot{db.Snapshot()}
	for range 3 {
		require.NoError(t, increment(t.Context(), client))
		snapshots = append(snapshots, db.Snapshot())
	}
	for _, i := range []int{0, 2, 1, 3, 2, 0} {
		db.Restore(snapshots[i])
		require.Equal(t, i, n(t, db))
		require.NoError(t, increment(t.Context(), client))
	}
	other := ddbtest.Start(t)
	other.Restore(snapshots[3])
	require.Equal(t, 3, n(t, other), "another database can have it too")
}

// TestForkIsIndependent checks that a fork and its origin are independent.
func TestForkIsIndependent(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		db := setup(t)
		db.Advance(time.Hour)
		db.SetLag(ddbtest.Lag{Items: time.Minute})
		require.NoError(t, increment(t.Context(), db.Client()))
		db.Fail(ddbtest.Op("GetItem"), ddbtest.Reset)
		fork := db.Fork()
		require.Equal(t, 1, n(t, fork))
		require.Equal(t, db.Now(), fork.Now())
		require.Empty(t, fork.Requests())
		require.Zero(t, fork.Cost().Total())
		require.NoError(t, get(t.Context(), fork.Client()), "no rules")

		require.NoError(t, increment(t.Context(), fork.Client()))
		require.NoError(t, increment(t.Context(), fork.Client()))
		fork.Advance(time.Hour)
		require.Equal(t, 1, n(t, db))
		require.Equal(t, 3, n(t, fork))
		require.Equal(t, time.Hour, fork.Now().Sub(db.Now()))
		require.Equal(t, 3, n(t, fork.Fork()))
	})
}

// TestHash compares databases that got the same content in different ways.
func TestHash(t *testing.T) {
	t.Parallel()
	db := setup(t)
	empty := db.Hash()
	require.Equal(t, empty, setup(t).Hash(), "another database, with other times")
	require.NotEqual(t, empty, ddbtest.Start(t).Hash(), "no table")

	fork := db.Fork()
	db.Load(t, things, thing("a", 1), thing("b", 2))
	require.NotEqual(t, empty, db.Hash())
	require.Equal(t, empty, fork.Hash())
	fork.Load(t, things, thing("b", 2, attributes{"color": text("red")}), thing("a", 1))
	require.NotEqual(t, db.Hash(), fork.Hash())
	fork.Load(t, things, thing("b", 2))
	require.Equal(t, db.Hash(), fork.Hash())
	require.NoError(t, increment(t.Context(), fork.Client()))
	require.NotEqual(t, db.Hash(), fork.Hash())

	snapshot := db.Snapshot()
	before := db.Hash()
	require.NoError(t, put(t.Context(), db.Client()))
	require.NotEqual(t, before, db.Hash())
	db.Restore(snapshot)
	require.Equal(t, before, db.Hash())
}

// TestForkTakesConstantTime checks that the number of allocations does not depend on the number of
// items.
func TestForkTakesConstantTime(t *testing.T) {
	testsize.SkipRace(t)
	filled := func(items int) *ddbtest.DB {
		db := setup(t)
		batch := make([]attributes, items)
		for i := range batch {
			batch[i] = thing("a", i, attributes{"color": text("red")})
		}
		db.Load(t, things, batch...)
		return db
	}
	small, many := filled(1_000), filled(testsize.Pick(20_000, 50_000, 1_000_000))
	for name, do := range map[string]func(*ddbtest.DB){
		"Fork":     func(db *ddbtest.DB) { db.Fork() },
		"Snapshot": func(db *ddbtest.DB) { db.Snapshot() },
		"Restore":  func(db *ddbtest.DB) { db.Restore(db.Snapshot()) },
	} {
		few, more := testing.AllocsPerRun(20, func() { do(small) }), testing.AllocsPerRun(20, func() { do(many) })
		t.Logf("%s: %g allocations", name, few)
		require.InDelta(t, few, more, 0, name)
	}
	copied := func(db *ddbtest.DB) float64 { return testing.AllocsPerRun(1, func() { db.Dump(things) }) }
	require.Greater(t, copied(filled(2_000)), 1.5*copied(small), "the control: a copy of the items")
}

// TestCloseClosesForks covers a fork of a fork, and a fork of a closed database.
func TestCloseClosesForks(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		db := setup(t)
		fork := db.Fork().Fork()
		fork.Fail(ddbtest.Hang)
		done := make(chan error)
		go func() { done <- increment(t.Context(), fork.Client(once)) }()
		synctest.Wait()
		db.Close()
		require.Equal(t, "reset", resultOf(<-done))
		for _, ended := range []*ddbtest.DB{fork, db.Fork()} {
			require.Equal(t, "refused", resultOf(get(t.Context(), ended.Client(once))))
		}
	})
}

// TestForkCopiesLagAndLimit also checks the limit of LimitHeat.
func TestForkCopiesLagAndLimit(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		db := setup(t, ddbtest.Options{Lag: ddbtest.Lag{Items: ddbtest.UntilSettled}, PartitionLimit: ddbtest.Units{Write: 1}})
		db.LimitPartitions(ddbtest.Units{Write: 2})
		require.NoError(t, put(t.Context(), db.Client()))
		fork := db.Fork()
		stale := func(db *ddbtest.DB) int {
			out, err := db.Client().Query(t.Context(), queryInput("a"))
			require.NoError(t, err)
			return int(out.Count)
		}
		require.Equal(t, []int{0, 0}, []int{stale(db), stale(fork)})
		fork.Settle()
		require.Equal(t, []int{0, 1}, []int{stale(db), stale(fork)})

		served := 0
		for range 5 {
			served += count(increment(t.Context(), fork.Client(once)) == nil)
		}
		require.Equal(t, 2, served)
		db.LimitPartitions(ddbtest.Units{})
		for range 5 {
			require.NoError(t, increment(t.Context(), db.Fork().Client(once)))
		}
	})
}

// TestForkInBubble checks that a fork continues from the last time of its origin, although
// the fake time begins long before.
func TestForkInBubble(t *testing.T) {
	t.Parallel()
	db := setup(t)
	expireBy(t, db)
	db.Advance(-time.Hour)
	until := db.Now().Add(time.Hour)
	db.Load(t, things, thing("a", 1, attributes{"n": number(1), "until": number(int(until.Unix()))}))
	now := db.Now()
	synctest.Test(t, func(t *testing.T) {
		fork := db.Fork()
		defer fork.Close()
		require.WithinDuration(t, now, fork.Now(), time.Minute)
		<-time.After(59 * time.Minute)
		require.Equal(t, 1, n(t, fork))
		<-time.After(2 * time.Minute)
		require.Zero(t, n(t, fork))
	})
	require.Equal(t, 1, n(t, db))
	other := db.Fork()
	require.WithinDuration(t, now, other.Now(), time.Minute)
}

// TestAdvanceOverflow checks that a fork still has the time of its origin.
func TestAdvanceOverflow(t *testing.T) {
	t.Parallel()
	db := setup(t)
	db.Advance(math.MaxInt64)
	db.Advance(math.MaxInt64)
	require.WithinDuration(t, db.Now(), db.Fork().Now(), time.Minute)
}

// TestLag checks that eventually consistent reads do not return writes for a time, or until Settle.
func TestLag(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		db := setup(t, ddbtest.Options{Lag: ddbtest.Lag{Items: time.Second, Indexes: ddbtest.UntilSettled}})
		client := db.Client()
		see := func() (strong, eventual, index int) {
			for _, consistent := range []bool{true, false} {
				in := queryInput("a")
				in.ConsistentRead = aws.Bool(consistent)
				out, err := client.Query(t.Context(), in)
				require.NoError(t, err)
				strong, eventual = eventual, int(out.Count)
			}
			in := queryInput("red")
			in.IndexName, in.KeyConditionExpression = aws.String("byColor"), aws.String("color = :pk")
			out, err := client.Query(t.Context(), in)
			require.NoError(t, err)
			return strong, eventual, int(out.Count)
		}
		check := func(want ...int) {
			t.Helper()
			strong, eventual, index := see()
			require.Equal(t, want, []int{strong, eventual, index})
		}
		_, err := client.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: aws.String(things), Item: thing("a", 1, attributes{"color": text("red")})})
		require.NoError(t, err)
		check(1, 0, 0)
		db.Advance(time.Second)
		check(1, 1, 0)
		db.Settle()
		check(1, 1, 1)
		_, err = client.DeleteItem(t.Context(), &dynamodb.DeleteItemInput{TableName: aws.String(things), Key: thing("a", 1)})
		require.NoError(t, err)
		check(0, 1, 1)
		db.SetLag(ddbtest.Lag{})
		check(0, 0, 0)
	})
}
