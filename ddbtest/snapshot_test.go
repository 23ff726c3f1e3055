package ddbtest_test

import (
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/internal/testsize"
)

func TestSnapshotsStayAsTheyAre(t *testing.T) {
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

// TestForksAreTwo databases from then on.
func TestForksAreTwo(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		db := setup(t)
		db.Clock().Advance(time.Hour)
		db.SetLag(ddbtest.Lag{Items: time.Minute})
		require.NoError(t, increment(t.Context(), db.Client()))
		db.Fail(ddbtest.Op("GetItem"), ddbtest.Reset)
		fork := db.Fork()
		require.Equal(t, 1, n(t, fork))
		require.Equal(t, db.Clock().Now(), fork.Clock().Now())
		require.Empty(t, fork.Requests())
		require.Zero(t, fork.Cost().Total())
		require.NoError(t, get(t.Context(), fork.Client()), "no rules")

		require.NoError(t, increment(t.Context(), fork.Client()))
		require.NoError(t, increment(t.Context(), fork.Client()))
		fork.Clock().Advance(time.Hour)
		require.Equal(t, 1, n(t, db))
		require.Equal(t, 3, n(t, fork))
		require.Equal(t, time.Hour, fork.Clock().Now().Sub(db.Clock().Now()))
		require.Equal(t, 3, n(t, fork.Fork()))
	})
}

// TestForksCostTheSame at any size.
func TestForksCostTheSame(t *testing.T) {
	cost := func(items int) (allocated uint64) {
		db := setup(t)
		batch := make([]attributes, items)
		for i := range batch {
			batch[i] = thing("a", i, attributes{"color": text("red")})
		}
		db.Load(t, things, batch...)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		fork := db.Fork()
		runtime.ReadMemStats(&after)
		runtime.KeepAlive(fork)
		return after.TotalAlloc - before.TotalAlloc
	}
	small, large := cost(100), cost(testsize.Pick(5_000, 100_000))
	t.Logf("a fork of 100 items allocates %d bytes, of many %d", small, large)
	require.Less(t, large, 2*small+16<<10)
}

// TestLag hides writes from eventually consistent reads for a time, or until they are settled.
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
		db.Clock().Advance(time.Second)
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
