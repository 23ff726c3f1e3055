package explored_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/ddbtest/explore"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/libitem"
	"github.com/trestledb/trestle/internal/testsize"
	"github.com/trestledb/trestle/lock"
	"github.com/trestledb/trestle/tx"
)

// journal is what the holders of a lock write: their fences, in the order of the writes.
type journal struct {
	_      entity.Key `type:"journal" pk:"JOURNAL#<id>" sk:"JOURNAL"`
	ID     string     `dynamodbav:"id"`
	Fences []int64    `dynamodbav:"fences,omitempty"`
}

// The schemas of the journal. The clock of fastJournals is an hour ahead: for it, every lease of
// another client has ended.
var (
	journals     = newJournalProgram(time.Now)
	fastJournals = newJournalProgram(func() time.Time { return time.Now().Add(time.Hour) })
	fences       = attr.Must(func(j *journal) *[]int64 { return &j.Fences })
)

type journalProgram struct {
	schema   *entity.Schema
	journals *entity.Type[journal]
}

func newJournalProgram(clock func() time.Time) journalProgram {
	s := entity.NewSchema(entity.Config{Indexes: []entity.IndexConfig{{Name: "GSI1"}}, Clock: clock})
	return journalProgram{s, entity.Define[journal](s)}
}

// work is what the clients of a lock do.
type work struct {
	*protocolRun
	config lock.Config
	last   int64           // the greatest fence of a lease that a client knows of
	timed  map[string]bool // the clients whose leases have not ended by their clocks
}

// client declares a client that acquires the lock and calls f.
func (k *work) client(name string, p journalProgram, f func(ctx context.Context, held *lock.Lease, in *entity.Repo[journal])) {
	k.w.Client(name, func(ctx context.Context, c *dynamodb.Client) {
		table, err := p.schema.Open(c, tableName, entity.Random(source(name)))
		if err != nil {
			k.w.Errorf("%v", err)
			return
		}
		held, err := lock.New(table, "jobs", k.config).TryAcquire(ctx, "job")
		if err != nil {
			return
		}
		if held.Fence() <= k.last {
			k.w.Errorf("a fence is not greater than all before")
		}
		k.last = max(k.last, held.Fence())
		f(ctx, held, p.journals.In(table))
	}, k.options...)
}

// holds notes that a client holds the lock, by its clock, until it calls the result.
func (k *work) holds(name string) (ends func()) {
	if len(k.timed) > 0 {
		k.w.Errorf("two clients hold the lock, and their clocks are the same")
	}
	if k.timed == nil {
		k.timed = map[string]bool{}
	}
	k.timed[name] = true
	return func() { delete(k.timed, name) }
}

// still reports a renewal or a release that succeeded after another client acquired the lock.
func (k *work) still(held *lock.Lease, err error) {
	if err == nil && held.Fence() < k.last {
		k.w.Errorf("a lease was changed after another client acquired the lock")
	}
}

// write writes the fence on the condition that the lock is held.
func write(ctx context.Context, held *lock.Lease, in *entity.Repo[journal]) error {
	return tx.Write(ctx, held.Check(), in.Op().Upsert(journal{ID: "j"}, attr.Append(fences, held.Fence())))
}

// check declares that the fence of the lock never falls, and that no holder writes after a later
// one.
func (k *work) check() {
	k.w.Always(func(db *ddbtest.DB) error {
		for _, i := range db.Dump(tableName) {
			if typeName(i) != "$U#lock" {
				continue
			}
			if n, err := libitem.Required(i, "fence"); err != nil || n < k.last {
				return errors.New("the fence of the lock is absent, or less than that of a lease")
			}
		}
		list, err := items(db, journals.journals)
		if err == nil && len(list) > 0 && !slices.IsSorted(list[0].Fences) {
			err = fmt.Errorf("a holder wrote after a later one: %v", orderOf(list[0].Fences))
		}
		return err
	})
}

// orderOf returns the ranks of numbers.
func orderOf(list []int64) (ranks []int) {
	sorted := slices.Sorted(slices.Values(list))
	for _, n := range list {
		ranks = append(ranks, slices.Index(sorted, n))
	}
	return ranks
}

// oneHolder: two clients with the same clock want the lock. One of them releases it.
var oneHolder = protocol{
	name: "lock: one holder", weight: medium,
	clients: func(r *protocolRun) {
		k := &work{protocolRun: r}
		for _, name := range []string{"alice", "bob"} {
			k.client(name, journals, func(ctx context.Context, held *lock.Lease, _ *entity.Repo[journal]) {
				ends := k.holds(name)
				_ = held.Renew(ctx)
				ends()
				_ = held.Release(ctx)
			})
		}
		k.check()
	},
}

// lateHolder: a client acquires the lock after the lease of another one has ended. Both write.
var lateHolder = protocol{
	name: "lock: a holder whose lease has ended", weight: medium,
	clients: func(r *protocolRun) {
		k := &work{protocolRun: r}
		k.client("alice", journals, func(ctx context.Context, held *lock.Lease, in *entity.Repo[journal]) {
			_ = write(ctx, held, in)
		})
		k.client("carol", fastJournals, func(ctx context.Context, held *lock.Lease, in *entity.Repo[journal]) {
			_ = write(ctx, held, in)
		})
		k.check()
	},
}

// lateRenewal: a client renews and releases a lease that has ended, while another one acquires
// the lock.
var lateRenewal = protocol{
	name: "lock: renew, release", weight: medium,
	clients: func(r *protocolRun) {
		k := &work{protocolRun: r}
		k.client("alice", journals, func(ctx context.Context, held *lock.Lease, _ *entity.Repo[journal]) {
			k.still(held, held.Renew(ctx))
			k.still(held, held.Release(ctx))
		})
		k.client("carol", fastJournals, func(context.Context, *lock.Lease, *entity.Repo[journal]) {})
		k.check()
	},
}

// A lease ends while requests wait: no holder writes after a later one. A client that crashes
// leaves a lock that the next one acquires.
func TestLockExpires(t *testing.T) {
	t.Parallel()
	if testsize.Race {
		t.Skip("the search itself has no concurrency, and is slow under the race detector")
	}
	p := protocol{clients: func(r *protocolRun) {
		k := &work{protocolRun: r, config: lock.Config{Lease: time.Second, Skew: time.Millisecond}}
		for _, name := range []string{"alice", "bob"} {
			k.client(name, journals, func(ctx context.Context, held *lock.Lease, in *entity.Repo[journal]) {
				if err := write(ctx, held, in); err == nil && held.Fence() < k.last && held.Held() {
					r.w.Errorf("a former holder believes that it holds the lock")
				}
				_ = held.Release(ctx)
			})
		}
		k.check()
	}}
	requireProof(t, p.search(t, explore.Options{
		Faults: explore.Faults{explore.Pause: 1, explore.Crash: 1}, MaxFaults: testsize.Pick(1, 1, 2), Pauses: []time.Duration{2 * time.Second},
	}))
}

// The negative control: a holder that relies on its own clock, and checks nothing when it writes.
func TestLockExpiresControl(t *testing.T) {
	t.Parallel()
	if testsize.Race {
		t.Skip("the search itself has no concurrency, and is slow under the race detector")
	}
	p := protocol{clients: func(r *protocolRun) {
		k := &work{protocolRun: r, config: lock.Config{Lease: time.Second, Skew: time.Millisecond}}
		for _, name := range []string{"alice", "bob"} {
			k.client(name, journals, func(ctx context.Context, held *lock.Lease, in *entity.Repo[journal]) {
				if held.Held() {
					_, _ = in.Upsert(ctx, journal{ID: "j"}, attr.Append(fences, held.Fence()))
				}
			})
		}
		k.check()
	}}
	r := p.search(t, explore.Options{Faults: explore.Faults{explore.Pause: 1}, Pauses: []time.Duration{2 * time.Second}})
	if r.Failure == nil {
		t.Error("the search found nothing")
	}
}
