package explore_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/ddbtest/explore"
)

// TestTimersWithoutPause checks that a client that pauses sees every state of the other one, and
// that time passes to its timer only.
func TestTimersWithoutPause(t *testing.T) {
	t.Parallel()
	seen := map[int]bool{}
	r := explore.Search(explore.Options{Setup: table(item{"id": str("a"), "n": num(0)}), Faults: noFaults}, func(w *explore.World) {
		began := time.Now()
		w.Client("sleeper", func(ctx context.Context, c *dynamodb.Client) {
			<-time.After(time.Minute)
			i, err := get(ctx, c, "a")
			require.NoError(w, err)
			seen[number(i, "n")] = true
			require.Equal(w, time.Minute, time.Since(began).Truncate(time.Millisecond))
		})
		w.Client("writer", func(ctx context.Context, c *dynamodb.Client) {
			require.NoError(w, add(ctx, c, "a", 1))
			require.NoError(w, add(ctx, c, "a", 1))
		})
		w.Finally(numberIs("a", 2))
	})
	requireProof(t, r)
	require.Equal(t, map[int]bool{0: true, 1: true, 2: true}, seen)
}

// TestBackoff checks that a client that pauses for a short time sees every state of the other one.
func TestBackoff(t *testing.T) {
	t.Parallel()
	seen := map[int]bool{}
	r := explore.Search(explore.Options{
		Setup: table(item{"id": str("a"), "n": num(0)}), Faults: noFaults, Backoff: time.Second,
	}, func(w *explore.World) {
		w.Client("sleeper", func(ctx context.Context, c *dynamodb.Client) {
			<-time.After(time.Second)
			i, err := get(ctx, c, "a")
			require.NoError(w, err)
			seen[number(i, "n")] = true
		})
		w.Client("writer", func(ctx context.Context, c *dynamodb.Client) {
			require.NoError(w, add(ctx, c, "a", 1))
			require.NoError(w, add(ctx, c, "a", 1))
		})
		w.Finally(numberIs("a", 2))
	})
	requireProof(t, r)
	require.Equal(t, map[int]bool{0: true, 1: true, 2: true}, seen)
}

// TestPauseOfLease checks that a lease expires while a request waits: both clients then hold it.
func TestPauseOfLease(t *testing.T) {
	t.Parallel()
	const lease = 30 * time.Second
	owners := func(pauses int) (most int) {
		o := explore.Options{Setup: table(), Faults: noFaults}
		if pauses > 0 {
			o.Faults, o.Pauses = explore.Faults{explore.Pause: pauses}, []time.Duration{lease}
		}
		r := explore.Search(o, func(w *explore.World) {
			now := 0
			for _, name := range []string{"alice", "bob"} {
				w.Client(name, func(ctx context.Context, c *dynamodb.Client) {
					if !acquire(ctx, c, name, lease) {
						return
					}
					now++
					most = max(most, now)
					_, err := get(ctx, c, name) // the work
					require.NoError(w, err)
					now--
				})
			}
			w.Finally(holds)
		})
		require.Nil(t, r.Failure)
		require.Empty(t, r.CutOff)
		return most
	}
	require.Equal(t, 1, owners(0))
	require.Equal(t, 2, owners(1))
}

// acquire takes the lock for the duration of the lease.
func acquire(ctx context.Context, c *dynamodb.Client, name string, lease time.Duration) bool {
	now := time.Now()
	_, err := c.PutItem(ctx, &dynamodb.PutItemInput{
		TableName:                 aws.String("items"),
		Item:                      item{"id": str("lock"), "until": num(int(now.Add(lease).UnixMilli())), "name": str(name)},
		ConditionExpression:       aws.String("attribute_not_exists(id) OR #until <= :now"),
		ExpressionAttributeNames:  map[string]string{"#until": "until"},
		ExpressionAttributeValues: item{":now": num(int(now.UnixMilli()))},
	})
	return err == nil
}

// TestTokenExpires checks that a transaction is applied twice if its token expires between the
// attempts, and only then.
func TestTokenExpires(t *testing.T) {
	t.Parallel()
	search := func(o explore.Options) *explore.Report {
		o.Setup = table()
		return explore.Search(o, func(w *explore.World) {
			w.Client("client", func(ctx context.Context, c *dynamodb.Client) {
				_, err := c.TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{TransactItems: []types.TransactWriteItem{{
					Update: &types.Update{
						TableName: aws.String("items"), Key: key("a"), UpdateExpression: aws.String("ADD n :n"),
						ExpressionAttributeValues: item{":n": num(1)},
					},
				}}})
				require.NoError(w, err)
			})
			w.Finally(numberIs("a", 1))
		})
	}
	requireProof(t, search(explore.Options{}))
	f := requireFailure(t, search(explore.Options{
		Faults: explore.Faults{explore.LostReply: 1, explore.Pause: 1}, Pauses: []time.Duration{10 * time.Minute},
	}))
	require.Equal(t, 2, f.Faults)
}

// TestClientGivesUp checks that a request whose client no longer waits is applied later or never.
func TestClientGivesUp(t *testing.T) {
	t.Parallel()
	results := map[string]int{}
	r := explore.Search(explore.Options{
		Setup: table(item{"id": str("a"), "n": num(0)}), Faults: explore.Faults{explore.Pause: 1}, Pauses: []time.Duration{time.Minute},
	}, func(w *explore.World) {
		var err error
		w.Client("client", func(ctx context.Context, c *dynamodb.Client) {
			ctx, cancel := context.WithTimeout(ctx, time.Second)
			defer cancel()
			err = add(ctx, c, "a", 1)
		})
		w.Finally(func(db *ddbtest.DB) error {
			results[fmt.Sprint(code(err), " ", number(db.Dump("items")[0], "n"))]++
			return nil
		})
	})
	requireProof(t, r)
	require.Len(t, results, 3, results) // applied in time, late, never
}
