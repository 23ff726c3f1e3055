package tx_test

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
	"github.com/trestledb/trestle/tx"
)

// tally is a counter.
type tally struct {
	_  entity.Key `type:"tally" pk:"TALLY#<id>" sk:"TALLY"`
	ID string     `dynamodbav:"id"`
	N  int        `dynamodbav:"n"`
}

var tallyN = attr.Must(func(t *tally) *int { return &t.N })

// tallies are counters that several callers increment.
type tallies struct {
	client *dynamodb.Client
	table  *entity.Table
	typ    *entity.Type[tally]
	repo   *entity.Repo[tally]
}

// tallyIDs is the number of counters of each side. Those of the right side are incremented together
// with the left ones, if at all.
const tallyIDs = 4

func side(name string, i int) tally { return tally{ID: fmt.Sprint(name, i)} }

// openTallies opens the table. It does not create it.
func openTallies(t testing.TB, client *dynamodb.Client) *tallies {
	t.Helper()
	s := entity.NewSchema(entity.Config{})
	c := &tallies{client: client, typ: entity.Define[tally](s)}
	var err error
	c.table, err = s.Open(client, "tallies")
	require.NoError(t, err)
	c.repo = c.typ.In(c.table)
	return c
}

func newTallies(t testing.TB, client *dynamodb.Client) *tallies {
	t.Helper()
	c := openTallies(t, client)
	require.NoError(t, c.table.Create(t.Context()))
	for i := range tallyIDs {
		for _, name := range []string{"left", "right"} {
			n := side(name, i)
			require.NoError(t, c.repo.Create(t.Context(), &n))
		}
	}
	return c
}

// attemptTimeout is the timeout of an attempt, of which there are many in fake time.
const attemptTimeout = 50 * time.Millisecond

// adder is a way to increment a counter. It may be called again with the same token.
type adder func(ctx context.Context, c *tallies, i int, token string) error

func (c *tallies) add(name string, i int) *entity.Op[tally] {
	return c.repo.Op().Update(side(name, i), attr.Add(tallyN, 1))
}

func addOnce(ctx context.Context, c *tallies, i int, token string) error {
	_, err := c.add("left", i).Once(token).Do(ctx)
	return err
}

func writeOnce(ctx context.Context, c *tallies, i int, token string) error {
	return tx.WriteOnce(ctx, token, c.add("left", i), c.add("right", i))
}

// addWithoutToken is the naive way: a plain addition, which the SDK retries.
func addWithoutToken(ctx context.Context, c *tallies, i int, _ string) error {
	key, err := c.typ.KeyOf(side("left", i))
	if err != nil {
		return err
	}
	_, err = c.client.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName: aws.String("tallies"), Key: key, UpdateExpression: aws.String("ADD n :one"),
		ExpressionAttributeValues: map[string]types.AttributeValue{":one": &types.AttributeValueMemberN{Value: "1"}},
	})
	return err
}

// total returns the sum of the counters of one side.
func (c *tallies) total(t testing.TB, name string) (sum int) {
	t.Helper()
	for i := range tallyIDs {
		n, err := c.repo.Strong().Get(t.Context(), side(name, i))
		require.NoError(t, err)
		sum += n.N
	}
	return sum
}

// caller makes one increment, which it may send more than once.
type caller func(ctx context.Context, r *rand.Rand, send func(context.Context) error)

// persistent is a caller who repeats an increment until it succeeds.
func persistent(ctx context.Context, _ *rand.Rand, send func(context.Context) error) {
	for send(ctx) != nil {
	}
}

// twice is a caller who repeats an increment that has succeeded.
func twice(ctx context.Context, r *rand.Rand, send func(context.Context) error) {
	persistent(ctx, r, send)
	persistent(ctx, r, send)
}

// restless is a caller who sometimes gives up before the reply and starts again, and sometimes
// repeats what has succeeded.
func restless(ctx context.Context, r *rand.Rand, send func(context.Context) error) {
	switch r.IntN(20) {
	case 0:
		limited, cancel := context.WithTimeout(ctx, time.Duration(r.Int64N(3*int64(attemptTimeout))))
		defer cancel()
		_ = send(limited)
		persistent(ctx, r, send)
	case 1:
		twice(ctx, r, send)
	default:
		persistent(ctx, r, send)
	}
}

// count lets callers make n increments at the same time, each with a token of its own.
func (c *tallies) count(t testing.TB, seed uint64, n int, do adder, call caller) {
	t.Helper()
	const callers = 8
	var next atomic.Int64
	var done sync.WaitGroup
	for number := range callers {
		done.Go(func() {
			r := rand.New(rand.NewPCG(seed, uint64(number)))
			for number := next.Add(1); number <= int64(n); number = next.Add(1) {
				i, token := r.IntN(tallyIDs), fmt.Sprint("increment ", number)
				call(t.Context(), r, func(ctx context.Context) error { return do(ctx, c, i, token) })
			}
		})
	}
	done.Wait()
}

// faultKinds are kinds of faults. Each affects a part of the requests.
type faultKinds struct {
	rate    float64
	effects map[string]ddbtest.Effect
}

var (
	faultsAfterCommit = faultKinds{1.0 / 16, map[string]ddbtest.Effect{
		"reset after commit": ddbtest.AfterCommit(ddbtest.Reset),
		"error after commit": ddbtest.AfterCommit(ddbtest.InternalError),
		"truncated":          ddbtest.Truncate,
	}}
	lateFaults = faultKinds{1.0 / 40, map[string]ddbtest.Effect{
		"late":                     ddbtest.LateDuplicate,
		"late after another write": ddbtest.LateDuplicateAfterWrite,
	}}
	faultsBefore = faultKinds{1.0 / 40, map[string]ddbtest.Effect{
		"reset": ddbtest.Reset,
		"error": ddbtest.InternalError,
	}}
	faultsOfTransactions = faultKinds{1.0 / 40, map[string]ddbtest.Effect{
		"delay":       ddbtest.Delay(2 * attemptTimeout),
		"throttled":   ddbtest.Throttle(),
		"conflict":    ddbtest.Conflict,
		"in progress": ddbtest.InProgress,
	}}
)

// counted is the result of counting with faults.
type counted struct {
	left, right int
	faults      map[string]int // the number of faults, by their names
}

// exact reports whether the counters have exactly the increments of their sides.
func (c counted) exact(left, right int) bool { return c.left == left && c.right == right }

// sum returns the number of faults of some kinds.
func (c counted) sum(kinds ...faultKinds) (n int) {
	for _, k := range kinds {
		for name := range k.effects {
			n += c.faults[name]
		}
	}
	return n
}

func (c counted) String() string {
	text := fmt.Sprintf("left %d, right %d", c.left, c.right)
	for _, name := range slices.Sorted(maps.Keys(c.faults)) {
		text += fmt.Sprintf(", %s %d", name, c.faults[name])
	}
	return text
}

// countWithFaults makes n increments in a bubble.
func countWithFaults(t *testing.T, n int, operation string, do adder, call caller, kinds ...faultKinds) (result counted) {
	t.Helper()
	seed := testrand.Seed(t)
	synctest.Test(t, func(t *testing.T) {
		db := ddbtest.Start(t, ddbtest.Options{Seed: seed})
		c := newTallies(t, db.Client())
		c.repo = c.repo.With(entity.Timeout(attemptTimeout))
		began := time.Now()
		rules := map[string]*ddbtest.Rule{}
		for _, k := range kinds {
			for name, effect := range k.effects {
				rules[name] = db.Fail(ddbtest.Op(operation), ddbtest.Rate(k.rate), effect).MustHit(t)
			}
		}
		c.count(t, seed, n, do, call)
		db.ClearFaults()
		db.DeliverLate()
		require.Empty(t, db.Pending())
		result = counted{c.total(t, "left"), c.total(t, "right"), map[string]int{}}
		for name, rule := range rules {
			result.faults[name] = rule.Hits()
		}
		t.Logf("%d increments in %s of fake time: %s", n, time.Since(began), result)
	})
	return result
}

// With a token, increments are applied exactly once, whatever happens to requests and replies, and
// however often the caller repeats them.
func TestTokensCountExactly(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		do    adder
		right int // increments of the right side for each of the left side
	}{"Once": {addOnce, 0}, "WriteOnce": {writeOnce, 1}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n := testsize.Pick(1_000, 10_000, 1_000_000)
			got := countWithFaults(t, n, "TransactWriteItems", c.do, restless, faultsAfterCommit, lateFaults, faultsBefore, faultsOfTransactions)
			require.True(t, got.exact(n, n*c.right), got)
			all := got.sum(faultsAfterCommit, lateFaults, faultsBefore, faultsOfTransactions)
			require.Greater(t, all, n/4)
			require.Greater(t, got.sum(faultsAfterCommit), all/3)
			require.Greater(t, got.sum(lateFaults), all/20)
		})
	}
}

// The negative control: an addition that the SDK retries is applied once more for each fault after
// commit, and for each attempt that arrives late.
func TestRetriedAdditionsCountTooMuch(t *testing.T) {
	t.Parallel()
	n := testsize.Pick(1_000, 3_000, 15_000)
	got := countWithFaults(t, n, "UpdateItem", addWithoutToken, persistent, faultsAfterCommit, lateFaults, faultsBefore)
	require.False(t, got.exact(n, 0), got)
	over := got.sum(faultsAfterCommit, lateFaults)
	require.Equal(t, n+over, got.left)
	require.Greater(t, over, n/20)
}

// On every engine, callers that repeat all their increments count once with a token, and twice
// without.
func TestRepeatedIncrementsCountOnce(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		c := newTallies(t, e.Client(t))
		n := testsize.Pick(25, 100)
		seed := testrand.Seed(t)
		c.count(t, seed, n, addOnce, twice)
		require.Equal(t, n, c.total(t, "left"))
		c.count(t, seed, n, func(ctx context.Context, c *tallies, i int, token string) error {
			return writeOnce(ctx, c, i, "both "+token)
		}, twice)
		require.Equal(t, 2*n, c.total(t, "left"))
		require.Equal(t, n, c.total(t, "right"))
		c.count(t, seed, n, addWithoutToken, twice)
		require.Equal(t, 4*n, c.total(t, "left"), "the negative control")
	})
}

// DynamoDB remembers a token for ten minutes. A caller who repeats an increment later makes a new
// one, and gets no error. The library itself then sends nothing (see package exec).
func TestExpiredTokenIsANewRequest(t *testing.T) {
	t.Parallel()
	for name, do := range map[string]adder{"Once": addOnce, "WriteOnce": writeOnce} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				db := ddbtest.Start(t)
				c := newTallies(t, db.Client())
				ctx := t.Context()
				db.Fail(ddbtest.First(3), ddbtest.AfterCommit(ddbtest.Reset)).MustHit(t)
				err := do(ctx, c, 0, "token")
				require.ErrorIs(t, err, trestle.ErrUnknown)
				require.Equal(t, 1, c.total(t, "left"))

				db.Advance(10*time.Minute - time.Second)
				require.NoError(t, do(ctx, c, 0, "token"))
				require.Equal(t, 1, c.total(t, "left"), "within ten minutes of the first request")
				db.Advance(time.Second)
				require.NoError(t, do(ctx, c, 0, "token"))
				require.Equal(t, 2, c.total(t, "left"))
			})
		})
	}
}
