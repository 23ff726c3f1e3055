package tx_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
	"github.com/trestledb/trestle/query"
	"github.com/trestledb/trestle/tx"
)

// soakVariable is set in the process that makes the calls.
const soakVariable = "TRESTLE_TEST_SOAK"

// sample is what a process uses between its calls.
type sample struct {
	heap       uint64 // bytes after a garbage collection
	goroutines int
}

func takeSample() sample {
	runtime.GC()
	runtime.GC() // frees what the first one finalized
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return sample{m.HeapAlloc, runtime.NumGoroutine()}
}

// growth returns what grows from the first third of the samples to the last, or "".
func growth(samples []sample) string {
	third := len(samples) / 3
	first, last := samples[:third], samples[len(samples)-third:]
	heap := func(a, b sample) int { return int(int64(a.heap) - int64(b.heap)) }
	goroutines := func(a, b sample) int { return a.goroutines - b.goroutines }
	before, after := slices.MaxFunc(first, heap).heap, slices.MinFunc(last, heap).heap
	switch {
	case after > before+before/10+256<<10:
		return fmt.Sprintf("the heap grows from %d to %d bytes", before, after)
	case slices.MinFunc(last, goroutines).goroutines > slices.MaxFunc(first, goroutines).goroutines:
		return "the number of goroutines grows"
	}
	return ""
}

// soakCalls are the calls of the soak, on few items. Each makes a random number of requests.
func soakCalls(s *shop) []func(ctx context.Context, r *rand.Rand) error {
	of := func(r *rand.Rand) order {
		return order{Customer: fmt.Sprint("c", r.IntN(3)), ID: fmt.Sprint(r.IntN(20)), Status: "new"}
	}
	some := func(r *rand.Rand) (list []*event) {
		for i := range 1 + r.IntN(60) {
			list = append(list, &event{ID: fmt.Sprint(i), Text: "text"})
		}
		return list
	}
	return []func(ctx context.Context, r *rand.Rand) error{
		func(ctx context.Context, r *rand.Rand) error { o := of(r); return s.orders.Create(ctx, &o) },
		func(ctx context.Context, r *rand.Rand) error { o := of(r); return s.orders.Overwrite(ctx, &o) },
		func(ctx context.Context, r *rand.Rand) error {
			o, err := s.orders.Get(ctx, of(r))
			if err != nil {
				return err
			}
			return s.orders.Put(ctx, &o)
		},
		func(ctx context.Context, r *rand.Rand) error {
			_, err := s.orders.Update(ctx, of(r), orderTotal.Set(r.IntN(9)))
			return err
		},
		func(ctx context.Context, r *rand.Rand) error { return s.orders.Delete(ctx, of(r)) },
		func(ctx context.Context, r *rand.Rand) error {
			return tx.Write(ctx, s.stock.Op().Upsert(stock{SKU: "a"}, attr.Add(count, 1)), s.orders.Op().Update(of(r), orderTotal.Set(1)))
		},
		func(ctx context.Context, r *rand.Rand) error {
			from, to := of(r), of(r)
			_, err := tx.Move(s.orders, from, &to).Do(ctx)
			return err
		},
		func(ctx context.Context, r *rand.Rand) error {
			var one, two *order
			return tx.Read(ctx, tx.Get(s.orders, of(r), &one), tx.Get(s.orders, of(r), &two))
		},
		func(ctx context.Context, r *rand.Rand) error {
			return s.events.PutMany(ctx, slices.Values(some(r)), entity.Concurrency(3))
		},
		func(ctx context.Context, r *rand.Rand) error {
			_, err := s.orders.GetMany(ctx, []order{of(r), of(r), of(r)})
			return err
		},
		func(ctx context.Context, r *rand.Rand) error {
			for _, err := range query.Of(s.orders, of(r)).PageSize(3).Prefetch().All(ctx) {
				if err != nil {
					return err
				}
				if r.IntN(5) == 0 {
					break
				}
			}
			return nil
		},
		func(ctx context.Context, r *rand.Rand) error {
			_, err := query.Of(s.orders, of(r)).Collection().Delete(ctx)
			return err
		},
	}
}

// soak makes calls with faults, in rounds of eight callers, and takes a sample after each round.
// Some calls are canceled. leak is called after each call; end ends what it left.
func soak(t *testing.T, seed uint64, calls int, leak func(end <-chan struct{})) (samples []sample, outcomes map[trestle.Outcome]int) {
	t.Helper()
	outcomes = map[trestle.Outcome]int{}
	synctest.Test(t, func(t *testing.T) {
		db := ddbtest.Start(t, ddbtest.Options{Seed: seed, KeepRequests: 100})
		s := newShop(t, db.Client(func(o *dynamodb.Options) { o.RetryMaxAttempts = 3 }))
		s.create(t)
		end := make(chan struct{})
		defer close(end)
		for _, e := range []ddbtest.Effect{
			ddbtest.Reset, ddbtest.AfterCommit(ddbtest.Reset), ddbtest.InternalError, ddbtest.Truncate, ddbtest.Throttle(), ddbtest.Hang,
			ddbtest.AfterCommit(ddbtest.Hang), ddbtest.Delay(time.Second),
		} {
			db.Fail(e, ddbtest.Rate(0.02))
		}
		db.Fail(ddbtest.LateDuplicate, ddbtest.Rate(0.02), ddbtest.Op("TransactWriteItems", "PutItem", "UpdateItem", "DeleteItem"))
		db.Fail(ddbtest.UnprocessedRate(0.2), ddbtest.Op("BatchWriteItem", "BatchGetItem"))
		list := soakCalls(s)
		const rounds, callers = 12, 8
		for round := range rounds {
			var done sync.WaitGroup
			var mutex sync.Mutex
			for caller := range callers {
				done.Go(func() {
					r := rand.New(rand.NewPCG(seed, uint64(round*callers+caller)))
					for range calls / rounds / callers {
						limit := time.Hour
						if r.IntN(4) == 0 {
							limit = time.Duration(r.Int64N(int64(2 * time.Second)))
						}
						ctx, cancel := context.WithTimeout(t.Context(), limit)
						err := list[r.IntN(len(list))](ctx, r)
						cancel()
						leak(end)
						mutex.Lock()
						outcomes[trestle.OutcomeOf(err)]++
						mutex.Unlock()
					}
				})
			}
			done.Wait()
			db.DeliverLate()
			<-time.After(11 * time.Minute) // the tokens expire
			samples = append(samples, takeSample())
		}
	})
	return samples, outcomes
}

// Neither the heap nor the number of goroutines grows with the number of calls, whatever happens to
// their requests. The negative controls keep 4 KB, or a goroutine, of each call. The process runs
// no other tests.
func TestSoak(t *testing.T) {
	t.Parallel()
	if os.Getenv(soakVariable) == "" {
		process := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestSoak$", "-test.v") //nolint:gosec // it is this program
		process.Env = append(os.Environ(), soakVariable+"=true")
		out, err := process.CombinedOutput()
		require.NoError(t, err, string(out))
		t.Log(string(out))
		return
	}
	seed := testrand.Seed(t)
	samples, outcomes := soak(t, seed, testsize.Pick(1_000, 5_000, 1_000_000), func(<-chan struct{}) {})
	t.Logf("%v, %v", samples, outcomes)
	require.Len(t, outcomes, 4)
	require.Empty(t, growth(samples))

	var mutex sync.Mutex
	var kept [][]byte
	for name, leak := range map[string]func(<-chan struct{}){
		"bytes": func(<-chan struct{}) {
			mutex.Lock()
			defer mutex.Unlock()
			kept = append(kept, make([]byte, 4000))
		},
		"goroutines": func(end <-chan struct{}) { go func() { <-end }() },
	} {
		samples, _ := soak(t, seed, 1_000, leak)
		require.NotEmpty(t, growth(samples), "%s: %v", name, samples)
	}
	require.NotEmpty(t, kept)
}
