package tx_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
	"github.com/trestledb/trestle/tx"
)

// bubbleShop returns tables for a test in a bubble.
func bubbleShop(t *testing.T, change ...func(*entity.Config)) (*ddbtest.DB, *shop) {
	t.Helper()
	db := ddbtest.Start(t)
	s := newShop(t, db.Client(), change...)
	s.create(t)
	s.reset(t)
	return db, s
}

// Conflicts and throttling are retried up to eight times, as long as no action failed for another
// reason. The code None is no reason. Reads are retried in the same way.
func TestConflictsAreRetried(t *testing.T) {
	t.Parallel()
	const conflict, throttled = "TransactionConflict", "ThrottlingError"
	for name, c := range map[string]struct {
		effects  []ddbtest.RuleOption
		attempts int
		failed   []int // the operations that have an error if the attempts are used up
	}{
		"of the second":        {[]ddbtest.RuleOption{ddbtest.Cancel(1, conflict)}, 9, []int{1}},
		"of all":               {[]ddbtest.RuleOption{ddbtest.Cancel(0, conflict), ddbtest.Cancel(1, conflict)}, 9, []int{0, 1}},
		"and throttling":       {[]ddbtest.RuleOption{ddbtest.Cancel(0, throttled), ddbtest.Cancel(1, conflict)}, 9, []int{0, 1}},
		"throttling":           {[]ddbtest.RuleOption{ddbtest.Cancel(1, "ProvisionedThroughputExceeded")}, 9, []int{1}},
		"and a condition":      {[]ddbtest.RuleOption{ddbtest.Cancel(0, conflict), ddbtest.Cancel(1, "ConditionalCheckFailed")}, 1, []int{0, 1}},
		"a full collection":    {[]ddbtest.RuleOption{ddbtest.Cancel(0, conflict), ddbtest.Cancel(1, "ItemCollectionSizeLimitExceeded")}, 1, []int{0, 1}},
		"of a single request":  {[]ddbtest.RuleOption{ddbtest.Error("TransactionConflictException", "m", 400)}, 9, nil},
		"of the table":         {[]ddbtest.RuleOption{ddbtest.Conflict, ddbtest.OnTable("log")}, 9, []int{1}},
		"throttling of a part": {[]ddbtest.RuleOption{ddbtest.Throttle("TableWriteKeyRangeThroughputExceeded"), ddbtest.OnTable("log")}, 9, []int{1}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				db, s := bubbleShop(t)
				send := func() error {
					return tx.Write(t.Context(), increment(s), s.events.Op().Put(&event{ID: "1"}))
				}
				options := append([]ddbtest.RuleOption{ddbtest.Op("TransactWriteItems")}, c.effects...)
				few := db.Fail(append(options, ddbtest.First(3))...)
				start := time.Now()
				if err := send(); c.attempts > 1 {
					require.NoError(t, err)
					require.Equal(t, 3, few.Hits())
					require.Equal(t, 1, s.storedStock(t, "a").Count)
					require.Positive(t, time.Since(start), "there is a pause")
				} else {
					require.Error(t, err)
					require.Equal(t, 1, few.Hits())
				}
				few.Remove()
				s.reset(t)

				always := db.Fail(options...)
				err := send()
				require.Equal(t, trestle.NotApplied, trestle.OutcomeOf(err))
				require.Equal(t, c.attempts, always.Hits())
				require.Zero(t, s.storedStock(t, "a").Count)
				require.Less(t, time.Since(start), 8*3*time.Second)
				var failed []int
				if canceled := (*tx.CanceledError)(nil); errors.As(err, &canceled) {
					for _, f := range canceled.Failures {
						failed = append(failed, f.Operation)
						require.NotEmpty(t, f.Code)
						require.Equal(t, f.Code == "ConditionalCheckFailed", f.Err.Kind != nil)
						require.Equal(t, f.Err.Kind == nil, f.Err.Hint != "")
					}
				}
				require.Equal(t, c.failed, failed)
				always.Remove()
				require.NoError(t, send())
				require.Equal(t, 1, s.storedStock(t, "a").Count)
			})
		})
	}
}

// A transaction whose earlier attempt is still running is retried with the same token for a quarter
// of a minute. Then its outcome is unknown.
func TestTransactionInProgress(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		db, s := bubbleShop(t)
		few := db.Fail(ddbtest.InProgress, ddbtest.Op("TransactWriteItems"), ddbtest.First(3))
		start := time.Now()
		require.NoError(t, tx.Write(t.Context(), increment(s)))
		require.Equal(t, 3, few.Hits())
		require.Equal(t, 7*time.Second, time.Since(start))
		few.Remove()

		always := db.Fail(ddbtest.InProgress, ddbtest.Op("TransactWriteItems"))
		start = time.Now()
		err := tx.Write(t.Context(), increment(s), s.events.Op().Put(&event{ID: "1"}))
		requireOutcome(t, err, trestle.Unknown, trestle.ErrUnknown)
		require.Equal(t, 5, always.Hits())
		require.Equal(t, 15*time.Second, time.Since(start))
		require.NotEmpty(t, hintOf(t, err))
		require.Equal(t, 1, s.storedStock(t, "a").Count)
	})
}

// Reads are retried after conflicts.
func TestReadConflicts(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		db, s := bubbleShop(t)
		var a *stock
		var one *order
		read := func() error {
			return tx.Read(t.Context(), tx.Get(s.stock, stock{SKU: "a"}, &a), tx.Get(s.orders, order{Customer: "ann", ID: "1"}, &one))
		}
		few := db.Fail(ddbtest.Cancel(1, "TransactionConflict"), ddbtest.Op("TransactGetItems"), ddbtest.First(8))
		require.NoError(t, read())
		require.Equal(t, 8, few.Hits())
		require.NotNil(t, one)
		few.Remove()
		a, one = nil, nil
		always := db.Fail(ddbtest.Cancel(1, "TransactionConflict"), ddbtest.Op("TransactGetItems"))
		err := read()
		requireOutcome(t, err, trestle.NoWrite)
		var canceled *tx.CanceledError
		require.ErrorAs(t, err, &canceled)
		require.Len(t, canceled.Failures, 1)
		require.Equal(t, 1, canceled.Failures[0].Operation)
		require.Equal(t, "order", canceled.Failures[0].Err.Entity)
		require.Equal(t, 9, always.Hits())
		require.Nil(t, a)
	})
}

// A transaction that reads first is planned again if another writer changed an item after the read,
// also while other actions conflict, but not if another operation failed.
func TestPlannedAgain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var s *shop
		raise := func() { // between the read and the write
			one := order{Customer: "ann", ID: "1"}
			_, err := s.orders.With(entity.ReadFirst()).Update(context.WithoutCancel(t.Context()), one, attr.Add(orderTotal, 1))
			require.NoError(t, err)
		}
		race := func(db *ddbtest.DB, times int) (tries *int) {
			tries = new(int)
			db.Fail(ddbtest.Delay(time.Nanosecond), ddbtest.Op("TransactWriteItems"), ddbtest.Matching(func(ddbtest.Request) bool {
				if *tries++; *tries <= times {
					raise()
				}
				return false
			}))
			return tries
		}
		for name, c := range map[string]struct {
			raises, tries int
			conflict      bool
			kind          error
		}{
			"never":              {0, 1, false, nil},
			"once":               {1, 2, false, nil},
			"seven times":        {7, 8, false, nil},
			"eight times":        {8, 8, false, trestle.ErrStale},
			"once in a conflict": {1, 2, true, nil},
		} {
			var db *ddbtest.DB
			db, s = bubbleShop(t)
			tries := race(db, c.raises)
			if c.conflict {
				db.Fail(ddbtest.Cancel(0, "TransactionConflict"), ddbtest.Cancel(1, "ConditionalCheckFailed"), ddbtest.Op("TransactWriteItems"), ddbtest.Nth(1))
			}
			over := order{Customer: "ann", ID: "1", Status: "lost"}
			err := tx.Write(t.Context(), increment(s), s.orders.Op().Overwrite(&over))
			require.Equal(t, c.tries, *tries, name)
			if c.kind != nil {
				requireOutcome(t, err, trestle.NotApplied, c.kind)
				require.Zero(t, s.storedStock(t, "a").Count)
				require.Zero(t, over.Version)
				continue
			}
			require.NoError(t, err, name)
			require.EqualValues(t, c.raises+2, over.Version)
			require.Equal(t, over, *s.storedOrder(t, "1"))
			require.Equal(t, 1, s.storedStock(t, "a").Count)
		}

		var db *ddbtest.DB
		db, s = bubbleShop(t)
		tries := race(db, 1)
		over := order{Customer: "ann", ID: "1", Status: "lost"}
		err := tx.Write(t.Context(), s.stock.Op().Check(stock{SKU: "a"}, count.Gt(0)), s.orders.Op().Overwrite(&over))
		require.ErrorIs(t, err, trestle.ErrCondition)
		require.Equal(t, 1, *tries)
	})
}

// bank is n accounts: stocks with 100 each.
type bank struct {
	*shop
	n int
}

func newBank(t *testing.T, db *ddbtest.DB, n int) bank {
	t.Helper()
	s := newShop(t, db.Client())
	s.create(t)
	for i := range n {
		require.NoError(t, s.stock.Put(t.Context(), &stock{SKU: fmt.Sprint(i), Count: 100}))
	}
	return bank{s, n}
}

func (b bank) transfer(ctx context.Context, from, to, amount int) error {
	return tx.Write(ctx,
		b.stock.Op().Update(stock{SKU: fmt.Sprint(from)}, attr.Add(count, -amount), attr.If(count.Ge(amount))),
		b.stock.Op().Update(stock{SKU: fmt.Sprint(to)}, attr.Add(count, amount)))
}

// sum returns the sum of all accounts, read in a transaction.
func (b bank) sum(ctx context.Context) (sum int, err error) {
	accounts := make([]*stock, b.n)
	items := make([]tx.Item, b.n)
	for i := range items {
		items[i] = tx.Get(b.stock, stock{SKU: fmt.Sprint(i)}, &accounts[i])
	}
	err = tx.Read(ctx, items...)
	for _, a := range accounts {
		if a != nil {
			sum += a.Count
		}
	}
	return sum, err
}

// Many writers transfer between few accounts while others read them all: each read sees the same
// sum, and so does the end. Conflicts and lost replies happen throughout.
func TestTransfersKeepTheSum(t *testing.T) {
	t.Parallel()
	db := ddbtest.Start(t, ddbtest.Options{Seed: testrand.Seed(t)})
	b := newBank(t, db, 5)
	db.Fail(ddbtest.Conflict, ddbtest.Op("TransactWriteItems", "TransactGetItems"), ddbtest.Rate(0.1))
	db.Fail(ddbtest.AfterCommit(ddbtest.Reset), ddbtest.Op("TransactWriteItems"), ddbtest.Rate(0.02))
	db.Fail(ddbtest.LateDuplicate, ddbtest.Op("TransactWriteItems"), ddbtest.Rate(0.02))
	var inFlight, calls, overlapping, moved, short, unknown atomic.Int64
	enter := func() func() {
		calls.Add(1)
		overlapping.Add(inFlight.Add(1))
		return func() { inFlight.Add(-1) }
	}
	var writers, readers sync.WaitGroup
	for range 8 {
		writers.Go(func() {
			for range testsize.Pick(40, 400) {
				from := rand.N(b.n)
				leave := enter()
				err := b.transfer(t.Context(), from, (from+1+rand.N(b.n-1))%b.n, 1+rand.N(60))
				leave()
				switch {
				case err == nil:
					moved.Add(1)
				case errors.Is(err, trestle.ErrCondition):
					short.Add(1)
				case errors.Is(err, trestle.ErrUnknown): // a reply was lost, and the retry was short of money
					unknown.Add(1)
				default:
					t.Errorf("transfer: %v", err)
				}
			}
		})
	}
	done := make(chan struct{})
	var reads atomic.Int64
	for range 2 {
		readers.Go(func() {
			for {
				select {
				case <-done:
					return
				default:
				}
				leave := enter()
				sum, err := b.sum(t.Context())
				leave()
				if err != nil || sum != 100*b.n {
					t.Errorf("read: sum %d, %v", sum, err)
				}
				reads.Add(1)
			}
		})
	}
	writers.Wait()
	close(done)
	readers.Wait()
	db.DeliverLate()
	sum, err := b.sum(t.Context())
	require.NoError(t, err)
	require.Equal(t, 100*b.n, sum)
	mean := float64(overlapping.Load()) / float64(calls.Load())
	t.Logf("%d transfers, %d short of money, %d unknown, %d reads, %.1f calls in flight on average", moved.Load(), short.Load(), unknown.Load(), reads.Load(), mean)
	require.Greater(t, mean, 3.0)
	require.Positive(t, short.Load())
	require.Positive(t, reads.Load())
}

// The control: a transfer happens between two single reads, or while a batch read sends its second
// request. Both see another sum.
func TestSingleReadsSeeBrokenSums(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		operation string
		transfer  int // before which request
		read      func(ctx context.Context, b bank) (sum int, err error)
		broken    bool
	}{
		"single reads": {"GetItem", 2, func(ctx context.Context, b bank) (sum int, err error) {
			for i := range b.n {
				a, err := b.stock.Strong().Get(ctx, stock{SKU: fmt.Sprint(i)})
				if err != nil {
					return 0, err
				}
				sum += a.Count
			}
			return sum, nil
		}, true},
		"a batch read in two parts": {"BatchGetItem", 2, func(ctx context.Context, b bank) (sum int, err error) {
			examples := make([]stock, b.n)
			for i := range examples {
				examples[i].SKU = fmt.Sprint(i)
			}
			found, err := b.stock.Strong().GetMany(ctx, examples)
			for _, a := range found {
				if a != nil {
					sum += a.Count
				}
			}
			return sum, err
		}, true},
		"a transaction": {"TransactGetItems", 1, func(ctx context.Context, b bank) (sum int, err error) { return b.sum(ctx) }, false},
	} {
		db := ddbtest.Start(t)
		b := newBank(t, db, 2)
		if c.operation == "BatchGetItem" {
			db.Fail(ddbtest.Unprocessed(1), ddbtest.Op("BatchGetItem"), ddbtest.Nth(1)).MustHit(t)
		}
		requests := 0
		db.Fail(ddbtest.Delay(time.Nanosecond), ddbtest.Op(c.operation), ddbtest.Matching(func(ddbtest.Request) bool {
			if requests++; requests == c.transfer {
				// one of both moves money to an account that is not read yet
				require.NoError(t, b.transfer(context.WithoutCancel(t.Context()), 0, 1, 60))
			}
			return false
		}))
		sum, err := c.read(t.Context(), b)
		require.NoError(t, err)
		require.Equal(t, c.broken, sum != 200, "%s: %d", name, sum)
		require.GreaterOrEqual(t, requests, c.transfer)
	}
}
