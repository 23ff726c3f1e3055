package entity_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/internal/testchecks"
	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
	"github.com/trestledb/trestle/maintain"
	"github.com/trestledb/trestle/query"
	"github.com/trestledb/trestle/tx"
)

// countRace is a blog with some wrong counts, whose counts are repaired beside writers.
type countRace struct {
	*blog
	rnd   *rand.Rand
	fresh atomic.Int64
}

const racePosts = 4

func (c *countRace) furnish(t testing.TB) {
	t.Helper()
	ctx := context.WithoutCancel(t.Context())
	for i := range racePosts {
		id := strconv.Itoa(i)
		require.NoError(t, c.posts.Create(ctx, &post{ID: id}))
		for n := range 2 + c.rnd.IntN(4) {
			require.NoError(t, c.comments.Create(ctx, &comment{Post: id, ID: strconv.Itoa(n)}))
			require.NoError(t, c.stars.Create(ctx, &star{User: strconv.Itoa(n), Slot: id, Post: id}))
		}
		if i%2 == 0 {
			c.set(t, "POST#"+id, "POST", avMap{"comments": avN(strconv.Itoa(7 + c.rnd.IntN(3))), "stars": avN("8")})
		}
	}
}

// write makes random writes until the repair is done. No transaction replaces an item by another
// one of the same post.
func (c *countRace) write(ctx context.Context, rnd *rand.Rand, done *atomic.Bool) error {
	for !done.Load() {
		p, n := strconv.Itoa(rnd.IntN(racePosts)), strconv.Itoa(rnd.IntN(8))
		at, other := star{User: n, Slot: p}, strconv.Itoa(rnd.IntN(racePosts))
		var err error
		switch rnd.IntN(9) {
		case 0, 1:
			err = c.comments.Create(ctx, &comment{Post: p, ID: n})
		case 2, 3:
			err = c.comments.Delete(ctx, comment{Post: p, ID: n})
		case 4:
			_, err = c.stars.Update(ctx, at, starPost.Set(other))
		case 5:
			err = c.stars.Put(ctx, &star{User: n, Slot: p, Post: p})
		case 6:
			err = c.stars.Delete(ctx, at)
		case 7:
			_, err = c.posts.Update(ctx, post{ID: p}, postTitle.Set(strconv.FormatInt(c.fresh.Add(1), 10)))
		case 8:
			if p != other {
				_, err = tx.Move(c.comments, comment{Post: p, ID: n}, &comment{Post: other, ID: n}).Do(ctx)
			}
		}
		if trestle.OutcomeOf(err) == trestle.Applied {
			continue // another writer deleted the item before the update could return it
		}
		if e := (*trestle.OpError)(nil); !errors.As(err, &e) || e.Kind == nil || errors.Is(err, trestle.ErrInvalid) {
			return err
		}
	}
	return nil
}

// race runs a repair beside writers. It returns how many counts were repaired, and those that are
// wrong in another way than before.
func (c *countRace) race(t testing.TB, writers int, repair func(ctx context.Context) error) (repaired int, spoiled []string) {
	t.Helper()
	c.furnish(t)
	before := c.errors(t)
	require.Len(t, before, racePosts)
	var done atomic.Bool
	var wg sync.WaitGroup
	failed := make([]error, writers)
	for i := range failed {
		rnd := rand.New(rand.NewPCG(c.rnd.Uint64(), 0))
		wg.Go(func() { failed[i] = c.write(t.Context(), rnd, &done) })
	}
	err := repair(t.Context())
	done.Store(true)
	wg.Wait()
	require.NoError(t, errors.Join(failed...))
	if e := (*maintain.Error)(nil); !errors.As(err, &e) {
		require.NoError(t, err)
	}
	after := c.errors(t)
	for name, n := range after {
		if n != before[name] {
			spoiled = append(spoiled, fmt.Sprintf("%s: %d, was %d", name, n, before[name]))
		}
	}
	return len(before) - len(after), spoiled
}

func (c *countRace) repair(ctx context.Context) error {
	_, err := maintain.RepairCounts(ctx, c.table, maintain.Run{})
	return err
}

// recountNaively reads the items of each post, and stores their number without a condition.
func (c *countRace) recountNaively(ctx context.Context) error {
	for i := range racePosts {
		p, n := post{ID: strconv.Itoa(i)}, int64(0)
		for _, err := range query.Of(c.comments.Strong(), comment{Post: p.ID}).All(ctx) {
			if err != nil {
				return err
			}
			n++
		}
		_, err := c.client.UpdateItem(ctx, &dynamodb.UpdateItemInput{
			TableName: aws.String("blog"), Key: avMap{"PK": avS("POST#" + p.ID), "SK": avS("POST")},
			UpdateExpression: aws.String("SET comments = :n"), ExpressionAttributeValues: avMap{":n": avN(strconv.FormatInt(n, 10))},
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// delayed opens a blog whose requests take a random time.
func delayed(t *testing.T, seed, run uint64) *countRace {
	t.Helper()
	db := ddbtest.New(ddbtest.Options{Seed: seed + run})
	t.Cleanup(func() { db.Close() })
	c := &countRace{blog: newBlog(t, db.Client()), rnd: rand.New(rand.NewPCG(seed, run))}
	db.Fail(ddbtest.Delay(time.Millisecond), ddbtest.Rate(0.7), ddbtest.Op("GetItem", "PutItem", "UpdateItem", "DeleteItem", "TransactWriteItems", "BatchGetItem", "Scan", "Query"))
	return c
}

// A repair beside writers never makes a right count wrong. After the writers have ended, a repair
// corrects all counts.
func TestRepairCountsBesideWriters(t *testing.T) {
	t.Parallel()
	seed := testrand.Seed(t)
	repaired := 0
	for i, n := 0, testsize.Pick(10, 24, 2_000); i < n || repaired == 0 && i < n+100; i++ {
		synctest.Test(t, func(t *testing.T) {
			c := delayed(t, seed, uint64(i))
			corrected, spoiled := c.race(t, i%4, c.repair)
			require.Empty(t, spoiled, "run %d", i)
			if i%4 > 0 {
				repaired += corrected
			}
			require.NoError(t, c.repair(t.Context()))
			require.Empty(t, c.errors(t), "run %d", i)
			require.NoError(t, testchecks.Counts(t.Context(), c.table))
		})
	}
	t.Log(repaired, "counts repaired beside writers")
	require.Positive(t, repaired)
}

// The negative control of TestRepairCountsBesideWriters.
func TestNaiveRecountSpoilsCounts(t *testing.T) {
	t.Parallel()
	seed := testrand.Seed(t)
	var found []string
	for i := range 100 {
		synctest.Test(t, func(t *testing.T) {
			c := delayed(t, seed, uint64(i))
			_, spoiled := c.race(t, 3, c.recountNaively)
			found = append(found, spoiled...)
		})
		if len(found) > 0 {
			break
		}
	}
	require.NotEmpty(t, found)
}

// The same on every engine.
func TestRepairCountsBesideWritersOnEngines(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		seed := testrand.Seed(t)
		for i := range testsize.Pick(1, 3, 20) {
			c := &countRace{blog: newBlog(t, e.Client(t)), rnd: rand.New(rand.NewPCG(seed, uint64(i)))}
			_, spoiled := c.race(t, 2, c.repair)
			require.Empty(t, spoiled, "run %d", i)
			require.NoError(t, c.repair(t.Context()))
			require.Empty(t, c.errors(t), "run %d", i)
		}
	})
}
