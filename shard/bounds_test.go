package shard_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
	"github.com/trestledb/trestle/shard"
)

// A total is at least the number of increments that ended before it was read, and at most the
// number of those that began before its end, while others drain and resize the counter.
func TestTotal_bounds(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		rounds := testsize.Sequential(5, 100, 200, 5000)
		if e.Name == engines.DynamoDBLocal {
			rounds = testsize.Pick(4, 4, 200)
		}
		b := newBox(t, e.Client(t), entity.Config{})
		votes := b.counters(shard.Config{Mode: shard.Approximate, Shards: 110})
		read := func(ctx context.Context) (int64, error) { return votes.Total(ctx, "a") }
		reads, err := boundsHold(t, b, rounds, read)
		require.NoError(t, err)
		require.Positive(t, reads)
		t.Logf("%d totals within bounds", reads)
	})
}

// A reader that does not compare the numbers of moves misses values or counts them twice.
func TestTotal_boundsControl(t *testing.T) {
	t.Parallel()
	testsize.SkipRace(t)
	b := newBox(t, engines.Engine{Name: engines.InProcess}.Client(t), entity.Config{})
	_, err := boundsHold(t, b, 20_000, func(ctx context.Context) (int64, error) { return naiveTotal(ctx, b) })
	require.ErrorIs(t, err, errOutOfBounds)
}

var errOutOfBounds = errors.New("the total is not within the bounds")

// boundsHold reads a counter while others write and move it, until a total is out of bounds. A
// round is a drain or a resize.
func boundsHold(t *testing.T, b *box, rounds int, read func(context.Context) (int64, error)) (reads int, err error) {
	t.Helper()
	ctx, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	var began, ended atomic.Int64
	var workers sync.WaitGroup
	for range 2 {
		writer := b.counters(shard.Config{Mode: shard.Approximate, Shards: 110})
		workers.Go(func() {
			for ctx.Err() == nil {
				began.Add(1)
				if err := writer.Add(t.Context(), "a", 1); err != nil {
					cancel(err)
					return
				}
				ended.Add(1)
			}
		})
	}
	done := make(chan struct{})
	workers.Go(func() {
		defer close(done)
		if err := moveAround(ctx, b.counters(shard.Config{Mode: shard.Approximate, Shards: 110}), testrand.New(t), rounds); err != nil {
			cancel(err)
		}
	})
	for ctx.Err() == nil {
		least := ended.Load()
		n, err := read(ctx)
		switch {
		case ctx.Err() != nil:
		case err != nil:
			cancel(err)
		case n < least || n > began.Load():
			cancel(fmt.Errorf("%w: %d is not from %d to %d", errOutOfBounds, n, least, began.Load()))
		default:
			reads++
		}
		select {
		case <-done:
			cancel(errDone)
		default:
		}
	}
	workers.Wait()
	if err := context.Cause(ctx); !errors.Is(err, errDone) {
		return reads, err
	}
	return reads, nil
}

var errDone = errors.New("all rounds have ended")

// moveAround drains and resizes a counter.
func moveAround(ctx context.Context, c *shard.Counters, r *rand.Rand, rounds int) (err error) {
	for range rounds {
		if r.IntN(3) > 0 {
			_, err = c.Drain(ctx, "a")
		} else {
			err = c.Resize(ctx, "a", 100+r.IntN(20))
		}
		var canceled *types.TransactionCanceledException
		if err != nil && ctx.Err() == nil && !errors.As(err, &canceled) && !errors.Is(err, trestle.ErrStale) {
			return err
		}
	}
	return nil
}

// naiveTotal reads the shards, and then the total item.
func naiveTotal(ctx context.Context, b *box) (total int64, err error) {
	for _, batch := range [][2]int{{0, 60}, {60, 120}} {
		var keys []item
		for i := batch[0]; i < batch[1]; i++ {
			keys = append(keys, keyOf(fmt.Sprintf("%03d", i)))
		}
		out, err := b.client.BatchGetItem(ctx, &dynamodb.BatchGetItemInput{RequestItems: map[string]types.KeysAndAttributes{
			tableName: {Keys: keys, ConsistentRead: aws.Bool(true)},
		}})
		if err != nil {
			return 0, err
		}
		for _, i := range out.Responses[tableName] {
			total += int64Of(i["n"])
		}
	}
	out, err := b.client.GetItem(ctx, &dynamodb.GetItemInput{TableName: aws.String(tableName), Key: keyOf("total"), ConsistentRead: aws.Bool(true)})
	if err != nil {
		return 0, err
	}
	return total + int64Of(out.Item["base"]), nil
}

// keyOf returns the key of an item of the counter "a", in the way of this package.
func keyOf(part string) item {
	partition := "$U#count#votes#a#" + part
	return item{"PK": text(partition), "SK": text(spreadOf(partition))}
}

func int64Of(av types.AttributeValue) int64 {
	n, ok := av.(*types.AttributeValueMemberN)
	if !ok {
		return 0
	}
	i, _ := strconv.ParseInt(n.Value, 10, 64)
	return i
}
