package together_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
	"github.com/trestledb/trestle/tx"
)

// run is a random run.
type run struct {
	r     *rand.Rand
	db    *ddbtest.DB
	table *entity.Table
	early *entity.Table // of the program with fewer shards
	model store
	log   []string // the calls so far
	now   time.Time

	naive  naivety
	counts map[string]int // what happened
}

// naivety is what a control does wrong.
type naivety struct {
	expiredIsAlive bool // writes take expired items for items
	repeats        bool // calls with an unknown outcome are repeated
	ignoresGuards  bool // members are deleted by the SDK
}

// newRun makes the table. Expired items stay for 20 seconds, or for longer than the run. The
// library has the time of the step, and not that of its pauses.
func newRun(t *testing.T, r *rand.Rand) *run {
	t.Helper()
	u := &run{r: r, model: store{}, counts: map[string]int{}}
	u.db = ddbtest.Start(t, ddbtest.Options{Seed: r.Uint64(), TTLDelay: pick(r, []time.Duration{20 * time.Second, 24 * time.Hour})})
	client := u.db.Client(func(o *dynamodb.Options) { o.RetryMaxAttempts = 5 })
	var err error
	u.table, err = schema.Open(client, "together", entity.Clock(func() time.Time { return u.now }))
	require.NoError(t, err)
	require.NoError(t, u.table.Create(context.Background()))
	u.early, err = earlierSchema.Open(client, "together", entity.Clock(func() time.Time { return u.now }))
	require.NoError(t, err)
	return u
}

// step makes some calls, alone, in a transaction or in a batch, and compares them with the model.
func (u *run) step(ctx context.Context) error {
	if u.r.IntN(8) == 0 {
		u.db.Advance(time.Duration(1+u.r.IntN(20)) * time.Second)
	}
	u.now = u.db.Now()
	now, tenant := u.now, pick(u.r, tenants)
	n := []int{1, 1, 1, 2, 2, 3}[u.r.IntN(6)]
	calls := make([]call, n)
	for i := range calls {
		calls[i] = randomCall(u.r, u.model, tenant, now)
		calls[i].earlier = calls[i].earlier && n == 1
		if u.naive.expiredIsAlive {
			calls[i].options = append(calls[i].options, entity.ShowExpired())
		}
	}
	after, effects, defined := u.model.apply(calls, now)
	if !defined {
		return nil
	}
	table := u.table
	if n == 1 && calls[0].earlier {
		table = u.early
	}
	if u.r.IntN(2) == 0 {
		table = table.Tenant(tenant)
		for i := range calls {
			if u.r.IntN(2) == 0 {
				calls[i].row.tenant = "" // the handle fills it in
			}
		}
	}
	ops := make([]sender, n)
	for i, c := range calls {
		ops[i] = kinds[c.row.kind].op(table, c)
	}
	for i := range calls {
		calls[i].row.tenant = tenant
	}
	batch := n > 1 && u.r.IntN(3) == 0 && u.ordered(calls, now)
	u.log = append(u.log, fmt.Sprintf("%s, batch %t: %v", now.UTC().Format(time.TimeOnly), batch, calls))

	fault := u.fault()
	err := u.send(ctx, calls, ops, batch)
	lost := fault != nil && fault.Hits() > 0
	u.db.ClearFaults()
	if batch {
		return u.compareBatch(ctx, calls, err, now, lost)
	}
	return u.compare(ctx, effects, after, err, now, lost)
}

// fault loses a reply or throttles a request in a third of the steps.
func (u *run) fault() *ddbtest.Rule {
	writes := ddbtest.Op("PutItem", "UpdateItem", "DeleteItem", "TransactWriteItems", "BatchWriteItem")
	switch nth := ddbtest.Nth(1 + u.r.IntN(3)); u.r.IntN(9) {
	case 0:
		return u.db.Fail(writes, nth, ddbtest.AfterCommit(ddbtest.Reset))
	case 1:
		u.db.Fail(nth, ddbtest.Throttle())
	case 2:
		return u.db.Fail(writes, nth, ddbtest.Reset)
	}
	return nil
}

// send sends the operations. The control repeats what failed after a lost reply.
func (u *run) send(ctx context.Context, calls []call, senders []sender, batch bool) error {
	ops := make([]entity.Operation, len(senders))
	for i, s := range senders {
		ops[i] = s.op
	}
	alone := len(ops) == 1 && u.r.IntN(3) > 0
	if u.naive.ignoresGuards && len(calls) == 1 && calls[0].verb == remove && calls[0].row.kind == "member" && len(calls[0].conds) == 0 {
		_, err := u.db.Client().DeleteItem(ctx, &dynamodb.DeleteItemInput{TableName: aws.String("together"), Key: map[string]types.AttributeValue{
			"PK": &types.AttributeValueMemberS{Value: kinds["member"].keys(calls[0].row)["PK"]}, "SK": &types.AttributeValueMemberS{Value: "MEMBER"},
		}})
		return err
	}
	once := func() error {
		switch {
		case batch:
			return entity.WriteMany(ctx, slices.Values(ops))
		case alone:
			return senders[0].do(ctx)
		default:
			return tx.Write(ctx, ops...)
		}
	}
	err := once()
	if u.naive.repeats && errors.Is(err, trestle.ErrUnknown) {
		err = once()
	}
	return err
}

// ordered reports whether calls have the same effects in every order.
func (u *run) ordered(calls []call, now time.Time) bool {
	var first string
	for order := range permutations(len(calls)) {
		state, reasons := u.model, make([][]error, len(calls))
		for _, i := range order {
			after, effects, defined := state.apply(calls[i:i+1], now)
			if !defined || calls[i].verb == check {
				return false
			}
			if reasons[i] = effects[0].reasons; len(reasons[i]) == 0 {
				state = after
			}
		}
		if text := fmt.Sprint(state, reasons); first == "" {
			first = text
		} else if text != first {
			return false
		}
	}
	return true
}

// permutations yields the orders of n elements.
func permutations(n int) func(yield func([]int) bool) {
	return func(yield func([]int) bool) {
		list := make([]int, n)
		for i := range list {
			list[i] = i
		}
		var walk func(k int) bool
		walk = func(k int) bool {
			if k == n {
				return yield(slices.Clone(list))
			}
			for i := k; i < n; i++ {
				list[k], list[i] = list[i], list[k]
				if !walk(k + 1) {
					return false
				}
				list[k], list[i] = list[i], list[k]
			}
			return true
		}
		walk(0)
	}
}

// compare compares the result of one call or of a transaction, and then the table.
func (u *run) compare(ctx context.Context, effects []effect, after store, err error, now time.Time, lost bool) error {
	fails := slices.ContainsFunc(effects, func(e effect) bool { return len(e.reasons) > 0 })
	switch {
	case err == nil && fails:
		return fmt.Errorf("the call succeeds, and the model fails: %v", reasonsOf(effects))
	case err == nil:
		u.counts["applied"]++
		u.model = after
	case lost && errors.Is(err, trestle.ErrUnknown):
		u.counts["unknown"]++
		if !fails && u.differences(after, now) == nil {
			u.model = after
		}
	case !fails:
		return fmt.Errorf("the call fails, and the model does not: %w", err)
	default:
		if err := compareReasons(effects, err); err != nil {
			return err
		}
		u.counts["failed"]++
	}
	return u.same(ctx, now)
}

func reasonsOf(effects []effect) (list [][]error) {
	for _, e := range effects {
		list = append(list, e.reasons)
	}
	return list
}

// compareReasons compares the errors of the calls with the reasons of the model.
func compareReasons(effects []effect, err error) error {
	var canceled *trestle.CanceledError
	if !errors.As(err, &canceled) {
		if len(effects) == 1 && among(err, effects[0].reasons) {
			return nil
		}
		return fmt.Errorf("the model has the reasons %v: %w", reasonsOf(effects), err)
	}
	for _, f := range canceled.Failures {
		if e := effects[f.Operation]; !among(f.Err, append(e.reasons, e.possible...)) {
			return fmt.Errorf("operation %d: the model has the reasons %v: %w", f.Operation, reasonsOf(effects), f.Err)
		}
	}
	if len(canceled.Failures) == 0 {
		return fmt.Errorf("no operation failed: %w", err)
	}
	return nil
}

// compareBatch compares the results of a batch, whose calls are independent.
func (u *run) compareBatch(ctx context.Context, calls []call, err error, now time.Time, lost bool) error {
	failures := map[int]error{}
	if err != nil {
		var left *trestle.UnprocessedError
		if !errors.As(err, &left) {
			return err
		}
		for _, f := range left.Failures {
			failures[f.Index] = f.Err
		}
	}
	for i, c := range calls {
		after, effects, _ := u.model.apply(calls[i:i+1], now)
		switch failed, fails := failures[i], len(effects[0].reasons) > 0; {
		case failed == nil && fails:
			return fmt.Errorf("%v succeeds, and the model fails: %v", c, reasonsOf(effects))
		case failed == nil:
			u.model = after
		case lost && errors.Is(failed, trestle.ErrUnknown):
			if !fails && u.differs(c, after, now) {
				continue
			}
			if !fails {
				u.model = after
			}
		case !fails:
			return fmt.Errorf("%v fails, and the model does not: %w", c, failed)
		default:
			if err := compareReasons(effects, failed); err != nil {
				return err
			}
		}
	}
	u.counts["batches"]++
	return u.same(ctx, now)
}

// TestTogether compares random calls with the model. A reply is lost or a request is throttled in
// some of them.
func TestTogether(t *testing.T) {
	t.Parallel()
	testsize.SkipRace(t)
	counts, r := map[string]int{}, testrand.New(t)
	for range testsize.Pick(4, 10, 2000) {
		u, err := runOf(t, r.Uint64(), naivety{})
		if err != nil {
			t.Fatalf("%v\n%v", err, lastOf(u.log, 12))
		}
		for name, n := range u.counts {
			counts[name] += n
		}
	}
	t.Log(counts)
	for _, name := range []string{"applied", "failed", "unknown", "batches"} {
		require.Greater(t, counts[name], 20, name)
	}
}

// The controls: a program that makes a mistake of one kind differs from the model.
func TestTogether_controls(t *testing.T) {
	t.Parallel()
	testsize.SkipRace(t)
	r := testrand.New(t)
	for name, naive := range map[string]naivety{
		"expired items are alive": {expiredIsAlive: true}, "unknown calls are repeated": {repeats: true}, "the SDK deletes members": {ignoresGuards: true},
	} {
		var err error
		for n := 0; n < 20 && err == nil; n++ {
			_, err = runOf(t, r.Uint64(), naive)
		}
		require.Error(t, err, name)
	}
}

// runOf makes 500 steps of a run.
func runOf(t *testing.T, seed uint64, naive naivety) (u *run, err error) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		u = newRun(t, rand.New(rand.NewPCG(seed, 0)))
		u.naive = naive
		for range 500 {
			if err = u.step(t.Context()); err != nil {
				return
			}
		}
		err = u.removed(t.Context())
	})
	return u, err
}

// lastOf returns the last n lines.
func lastOf(log []string, n int) string {
	text := ""
	for _, line := range log[max(0, len(log)-n):] {
		text += line + "\n"
	}
	return text
}
