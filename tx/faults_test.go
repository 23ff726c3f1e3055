package tx_test

import (
	"context"
	"fmt"
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
	"github.com/trestledb/trestle/internal/testfaults"
	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
	"github.com/trestledb/trestle/tx"
)

// write is a transaction that increments the stock a, next to what it does otherwise.
type write struct {
	name string
	// plan returns the operations. The stamped entity, if there is one, is at.
	plan  func(s *shop, at *order) []entity.Operation
	stamp bool
	token bool
}

func increment(s *shop) entity.Operation {
	return s.stock.Op().Update(stock{SKU: "a"}, attr.Add(count, 1), attr.If(count.Lt(1000)))
}

// writes returns transactions on the order 1, which exists with version 1.
func writes() []write {
	one := order{Customer: "ann", ID: "1"}
	return []write{
		{"adds in two tables", func(s *shop, _ *order) []entity.Operation {
			return []entity.Operation{increment(s), s.events.Op().Put(&event{ID: "1", Text: "x"})}
		}, false, false},
		{"one add", func(s *shop, _ *order) []entity.Operation { return []entity.Operation{increment(s)} }, false, false},
		{"create", func(s *shop, at *order) []entity.Operation {
			*at = order{Customer: "ann", ID: "2", Status: "new"}
			return []entity.Operation{s.orders.Op().Create(at), increment(s)}
		}, true, false},
		{"put a version", func(s *shop, at *order) []entity.Operation {
			at.Status = "paid"
			return []entity.Operation{increment(s), s.orders.Op().Put(at)}
		}, true, false},
		{"overwrite", func(s *shop, at *order) []entity.Operation {
			*at = order{Customer: "ann", ID: "1", Status: "lost"}
			return []entity.Operation{increment(s), s.orders.Op().Overwrite(at)}
		}, true, false},
		{"update, reading first", func(s *shop, _ *order) []entity.Operation {
			return []entity.Operation{increment(s), s.orders.With(entity.ReadFirst()).Op().Update(one, orderStatus.Set("lost"), attr.Add(orderTotal, 1))}
		}, false, false},
		{"delete", func(s *shop, _ *order) []entity.Operation {
			return []entity.Operation{s.orders.Op().Delete(one, orderTotal.Eq(0)), increment(s)}
		}, false, false},
		{"check", func(s *shop, _ *order) []entity.Operation {
			return []entity.Operation{s.orders.Op().Check(one), increment(s)}
		}, false, false},
		{"move", func(s *shop, at *order) []entity.Operation {
			at.ID = "2"
			return []entity.Operation{tx.Move(s.orders, order{Customer: "ann", ID: "1", Version: 1}, at), increment(s)}
		}, true, false},
		{"with a token", func(s *shop, at *order) []entity.Operation {
			*at = order{Customer: "ann", ID: "2", Status: "new"}
			return []entity.Operation{s.orders.Op().Create(at), increment(s)}
		}, true, true},
	}
}

// send sends a transaction of the initial order. It reports the order as it is afterwards.
func (w write) send(ctx context.Context, t testing.TB, s *shop) (at order, attempts int, err error) {
	t.Helper()
	at = *s.storedOrder(t, "1")
	version := at.Version
	transaction := tx.NewWrite(w.plan(s, &at)...)
	if w.token {
		transaction = transaction.Once(fmt.Sprint("token ", time.Now().UnixNano()))
	}
	before := at
	r, err := transaction.Do(ctx)
	if err != nil {
		require.Equal(t, before, at, "stamped only on success")
	} else if w.stamp {
		require.NotEqual(t, before, at)
		require.NotZero(t, at.Version)
		require.LessOrEqual(t, at.Version, version+1)
		require.Equal(t, noon, at.UpdatedAt)
	}
	return at, r.Attempts, err
}

// reset brings the tables into the initial state.
func (s *shop) reset(t testing.TB) {
	t.Helper()
	ctx := t.Context()
	require.NoError(t, s.stock.Put(ctx, &stock{SKU: "a"}))
	for _, id := range []string{"1", "2"} {
		require.NoError(t, s.orders.Delete(ctx, order{Customer: "ann", ID: id}))
	}
	require.NoError(t, s.orders.Create(ctx, &order{Customer: "ann", ID: "1", Status: "new"}))
}

// state is what a transaction can change, apart from the stock.
func (s *shop) state(t testing.TB) [2]*order {
	t.Helper()
	return [2]*order{s.storedOrder(t, "1"), s.storedOrder(t, "2")}
}

// For each transaction and each fault, the number of attempts, the outcome, the stored items and
// the stamps agree. No transaction is applied twice, or in part.
func TestEveryTransactionWithEveryFault(t *testing.T) {
	t.Parallel()
	eachFaultyShop(t, func(t *testing.T, s *shop, f *testfaults.Transport) {
		certain := 0
		for _, w := range writes() {
			s.reset(t)
			before := s.state(t)
			_, _, err := w.send(t.Context(), t, s)
			require.NoError(t, err, w.name)
			after := s.state(t)
			for _, fault := range testfaults.All() {
				s.reset(t)
				f.Sent.Store(0)
				f.Fault.Store(&fault)
				_, attempts, err := w.send(t.Context(), t, s)
				require.Nil(t, f.Fault.Load())
				applied := s.storedStock(t, "a").Count
				want := before
				if applied == 1 {
					want = after
				}
				require.Equal(t, want, s.state(t), "%s, %s: all or nothing", w.name, fault.Name)
				requireOutcome(t, err, trestle.Applied)
				require.EqualValues(t, 2, f.Sent.Load(), "%s, %s", w.name, fault.Name)
				require.GreaterOrEqual(t, attempts, 2)
				require.Equal(t, 1, applied, "%s, %s", w.name, fault.Name)
				certain++
			}
		}
		require.Greater(t, certain, 100)
	})
}

// After a lost reply, the caller repeats a transaction with its own token: it is applied once.
// Without a token, the repetition is another transaction.
func TestTokensApplyATransactionOnce(t *testing.T) {
	t.Parallel()
	eachFaultyShop(t, func(t *testing.T, s *shop, f *testfaults.Transport) {
		twice := 0
		s.stock = s.stock.With(entity.ClientOptions(func(o *dynamodb.Options) { o.RetryMaxAttempts = 1 }))
		for _, fault := range testfaults.All() {
			for _, token := range []string{"", "token " + fault.Name} {
				s.reset(t)
				send := tx.NewWrite(increment(s), s.orders.Op().Create(&order{Customer: "ann", ID: "2"}))
				if token == "" {
					send = tx.NewWrite(increment(s))
				} else {
					send = send.Once(token)
				}
				f.Fault.Store(&fault)
				if _, err := send.Do(t.Context()); err != nil {
					if !fault.Known {
						requireOutcome(t, err, trestle.Unknown, trestle.ErrUnknown)
					}
					_, err := send.Do(t.Context())
					require.NoError(t, err, fault.Name)
				}
				if n := s.storedStock(t, "a").Count; token == "" && n == 2 {
					twice++
				} else {
					require.Equal(t, 1, n, fault.Name)
				}
			}
		}
		require.NotZero(t, twice, "the control never added twice")
	})
}

// A reply is lost, and another writer changes an item before the retry. If the first attempt was
// applied, DynamoDB repeats its reply. If not, the retry is canceled, and the outcome is unknown:
// never a conflict, and never planned again, because the first attempt may still arrive.
func TestCancellationAfterALostReplyIsUnknown(t *testing.T) {
	t.Parallel()
	eachFaultyShop(t, func(t *testing.T, s *shop, f *testfaults.Transport) {
		unknown := 0
		for _, w := range writes() {
			if w.name == "one add" || w.name == "adds in two tables" {
				continue
			}
			for _, fault := range testfaults.All() {
				if !fault.Retried || fault.Known {
					continue
				}
				s.reset(t)
				f.Sent.Store(0)
				f.Then = func() { // breaks the condition of each transaction
					ctx := context.WithoutCancel(t.Context())
					require.NoError(t, s.stock.Put(ctx, &stock{SKU: "a", Count: 1000}))
				}
				f.Fault.Store(&fault)
				_, _, err := w.send(t.Context(), t, s)
				f.Then = nil
				require.EqualValues(t, 3, f.Sent.Load(), "the transaction, the other's write, the transaction again")
				if fault.After {
					requireOutcome(t, err, trestle.Applied)
					continue
				}
				unknown++
				requireOutcome(t, err, trestle.Unknown, trestle.ErrUnknown)
				require.NotErrorAs(t, err, new(*tx.CanceledError))
				require.ErrorAs(t, err, new(*types.TransactionCanceledException), "the SDK's own error is within reach")
				require.Equal(t, 1000, s.storedStock(t, "a").Count)
			}
		}
		require.GreaterOrEqual(t, unknown, 24)
	})
}

// An attempt may arrive late: after the retry, or even after another client's write. It is applied
// once, because all attempts have one token, and the other write stays.
func TestLateAttemptsChangeNothing(t *testing.T) {
	t.Parallel()
	for _, late := range []ddbtest.Fault{ddbtest.LateDuplicate, ddbtest.LateDuplicateAfterWrite} {
		for _, w := range writes() {
			db := ddbtest.Start(t)
			s := newShop(t, db.Client())
			s.create(t)
			s.reset(t)
			db.Fail(late, ddbtest.First(1), ddbtest.Op("TransactWriteItems")).MustHit(t)
			_, _, err := w.send(t.Context(), t, s)
			require.NoError(t, err, w.name)
			require.Equal(t, 1, s.storedStock(t, "a").Count, w.name)
			_, err = s.stock.Update(t.Context(), stock{SKU: "a"}, attr.Add(count, 10))
			require.NoError(t, err)
			state := s.state(t)
			db.DeliverLate()
			require.Empty(t, db.Pending())
			require.Equal(t, 11, s.storedStock(t, "a").Count, w.name)
			require.Equal(t, state, s.state(t), w.name)
			arrived := 0
			for _, r := range db.Requests() {
				if r.Late {
					arrived++
				}
			}
			require.Equal(t, 1, arrived, w.name)
		}
	}
}

// addRaw increments the stock a with the SDK alone.
func (s *shop) addRaw(ctx context.Context, t testing.TB) error {
	t.Helper()
	key, err := s.Stock.KeyOf(stock{SKU: "a"})
	require.NoError(t, err)
	_, err = s.client.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName: aws.String("shop"), Key: key, UpdateExpression: aws.String("ADD #c :c"), ExpressionAttributeNames: map[string]string{"#c": "count"},
		ExpressionAttributeValues: map[string]types.AttributeValue{":c": &types.AttributeValueMemberN{Value: "1"}},
	})
	return err
}

// The control: single additions that the SDK retries are applied twice, after the same faults.
func TestSDKAloneAppliesTwice(t *testing.T) {
	t.Parallel()
	eachFaultyShop(t, func(t *testing.T, s *shop, f *testfaults.Transport) {
		twice := 0
		for _, fault := range testfaults.All() {
			s.reset(t)
			f.Fault.Store(&fault)
			if err := s.addRaw(t.Context(), t); err == nil && s.storedStock(t, "a").Count == 2 {
				twice++
			}
			f.Fault.Store(nil)
		}
		require.GreaterOrEqual(t, twice, 4)
	})
	for _, late := range []ddbtest.Fault{ddbtest.LateDuplicate, ddbtest.LateDuplicateAfterWrite} {
		db := ddbtest.Start(t)
		s := newShop(t, db.Client())
		s.create(t)
		s.reset(t)
		db.Fail(late, ddbtest.First(1), ddbtest.Op("UpdateItem")).MustHit(t)
		require.NoError(t, s.addRaw(t.Context(), t))
		db.DeliverLate()
		require.Equal(t, 2, s.storedStock(t, "a").Count)
	}
}

// Random faults, and a writer for each of several goroutines: the stock is at least the number of
// acknowledged transactions, and at most that and the unknown ones. The control adds with the SDK,
// whose acknowledged additions are applied more often.
func TestRandomFaults(t *testing.T) {
	t.Parallel()
	const writers = 8
	run := func(t *testing.T, seed uint64, add func(ctx context.Context, s *shop) error) (acknowledged, unknown, stored int) {
		t.Helper()
		db := ddbtest.Start(t, ddbtest.Options{Seed: seed})
		s := newShop(t, db.Client())
		s.create(t)
		s.reset(t)
		for _, e := range []ddbtest.Effect{
			ddbtest.Reset, ddbtest.AfterCommit(ddbtest.Reset), ddbtest.AfterCommit(ddbtest.InternalError), ddbtest.LateDuplicate, ddbtest.Truncate, ddbtest.Unavailable,
		} {
			db.Fail(e, ddbtest.Op("TransactWriteItems", "UpdateItem"), ddbtest.Rate(0.05))
		}
		db.Fail(ddbtest.Conflict, ddbtest.Op("TransactWriteItems"), ddbtest.Rate(0.1))
		var done, lost atomic.Int64
		var group sync.WaitGroup
		for range writers {
			group.Go(func() {
				for range testsize.Pick(120, 500) { // the outcome of one of 50 is unknown
					switch err := add(t.Context(), s); {
					case err == nil:
						done.Add(1)
					case trestle.OutcomeOf(err) == trestle.Unknown:
						lost.Add(1)
					}
				}
			})
		}
		group.Wait()
		db.DeliverLate()
		return int(done.Load()), int(lost.Load()), s.storedStock(t, "a").Count
	}
	seed := testrand.Seed(t)
	acknowledged, unknown, stored := run(t, seed, func(ctx context.Context, s *shop) error { return tx.Write(ctx, increment(s)) })
	t.Logf("%d acknowledged, %d unknown, %d stored", acknowledged, unknown, stored)
	require.GreaterOrEqual(t, stored, acknowledged)
	require.LessOrEqual(t, stored, acknowledged+unknown)
	require.Positive(t, unknown)

	acknowledged, unknown, stored = run(t, seed, func(ctx context.Context, s *shop) error { return s.addRaw(ctx, t) })
	t.Logf("the control: %d acknowledged, %d unknown, %d stored", acknowledged, unknown, stored)
	require.Greater(t, stored, acknowledged+unknown, "the control")
}

// A transaction whose attempts all lose their reply is unknown, whether it was applied or not. One
// that changes nothing is certainly not applied.
func TestAllRepliesLost(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		for _, effect := range []ddbtest.Effect{ddbtest.Reset, ddbtest.AfterCommit(ddbtest.Reset), ddbtest.Hang, ddbtest.AfterCommit(ddbtest.Hang), ddbtest.InternalError} {
			for _, w := range writes() {
				db := ddbtest.Start(t)
				s := newShop(t, db.Client())
				s.create(t)
				s.reset(t)
				rule := db.Fail(effect, ddbtest.Op("TransactWriteItems"))
				start := time.Now()
				_, _, err := w.send(t.Context(), t, s)
				requireOutcome(t, err, trestle.Unknown, trestle.ErrUnknown)
				require.Equal(t, 3, rule.Hits())
				require.LessOrEqual(t, s.storedStock(t, "a").Count, 1, "%s, %s", effect, w.name)
				require.Less(t, time.Since(start), 31*time.Second, "each attempt has a timeout of 10 seconds")
				err = tx.Write(t.Context(), s.orders.Op().Check(order{Customer: "ann", ID: "1"}), s.stock.Op().Check(stock{SKU: "a"}))
				require.Error(t, err)
				requireOutcome(t, err, trestle.NotApplied)
			}
		}
	})
}

// If the context is canceled, a transaction returns at once: during its reads, during the write,
// and in the pause before the next attempt. Its outcome is unknown only if an attempt may have been
// applied. The negative controls of CancelIssue are in package entity.
func TestCanceledContext(t *testing.T) {
	t.Parallel()
	write := ddbtest.Op("TransactWriteItems")
	read := ddbtest.Op("TransactGetItems")
	type moment struct {
		options []ddbtest.RuleOption
		outcome trestle.Outcome
	}
	throttled := func(of trestle.Outcome) map[string]moment {
		return map[string]moment{"throttled": {[]ddbtest.RuleOption{ddbtest.Throttle(), write}, of}}
	}
	writes := map[string]moment{
		"write":         {[]ddbtest.RuleOption{ddbtest.Hang, write}, trestle.Unknown},
		"applied write": {[]ddbtest.RuleOption{ddbtest.AfterCommit(ddbtest.Hang), write}, trestle.Unknown},
		"conflict":      {[]ddbtest.RuleOption{ddbtest.Conflict, write}, trestle.NotApplied},
		"running":       {[]ddbtest.RuleOption{ddbtest.InProgress, write}, trestle.Unknown},
		"lost reply":    {[]ddbtest.RuleOption{ddbtest.AfterCommit(ddbtest.Reset), write}, trestle.Unknown},
	}
	first := map[string]moment{
		"reads":           {[]ddbtest.RuleOption{ddbtest.Hang, ddbtest.Op("GetItem")}, trestle.NotApplied},
		"throttled reads": {[]ddbtest.RuleOption{ddbtest.Throttle(), ddbtest.Op("GetItem")}, trestle.NotApplied},
	}
	reads := map[string]moment{
		"read":      {[]ddbtest.RuleOption{ddbtest.Hang, read}, trestle.NoWrite},
		"conflict":  {[]ddbtest.RuleOption{ddbtest.Conflict, read}, trestle.NoWrite},
		"throttled": {[]ddbtest.RuleOption{ddbtest.Throttle(), read}, trestle.NoWrite},
		"lost":      {[]ddbtest.RuleOption{ddbtest.Reset, read}, trestle.NoWrite},
	}
	key := order{Customer: "ann", ID: "1", Version: 1}
	for name, c := range map[string]struct {
		call    func(ctx context.Context, s *shop, at *order) error
		moments []map[string]moment
	}{
		"Write": {func(ctx context.Context, s *shop, at *order) error {
			*at = order{Customer: "ann", ID: "1", Status: "x"}
			return tx.Write(ctx, increment(s), s.orders.Op().Overwrite(at))
		}, []map[string]moment{writes, throttled(trestle.NotApplied), first}},
		"WriteOnce": {func(ctx context.Context, s *shop, at *order) error {
			*at = order{Customer: "ann", ID: "2"}
			return tx.WriteOnce(ctx, "token", increment(s), s.orders.Op().Create(at))
		}, []map[string]moment{writes, throttled(trestle.Unknown)}},
		"Move": {func(ctx context.Context, s *shop, at *order) error {
			*at = order{Customer: "ann", ID: "moved"}
			return tx.Write(ctx, tx.Move(s.orders, key, at))
		}, []map[string]moment{writes, throttled(trestle.NotApplied)}},
		"Read": {func(ctx context.Context, s *shop, _ *order) error {
			var one *order
			var a *stock
			return tx.Read(ctx, tx.Get(s.orders, key, &one), tx.Get(s.stock, stock{SKU: "a"}, &a))
		}, []map[string]moment{reads}},
	} {
		for _, some := range c.moments {
			for at, m := range some {
				synctest.Test(t, func(t *testing.T) {
					db, s := bubbleShop(t)
					db.Fail(m.options...).MustHit(t)
					var stamped order
					issue, err := engines.CancelIssue(t.Context(), func(ctx context.Context) error { return c.call(ctx, s, &stamped) })
					require.Empty(t, issue, "%s: %s", name, at)
					require.Equal(t, m.outcome, trestle.OutcomeOf(err), "%s: %s", name, at)
					require.Zero(t, stamped.Version)
					require.Empty(t, db.Pending())
				})
			}
		}
	}
}
