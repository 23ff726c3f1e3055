package coalesce

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/exec"
	"github.com/trestledb/trestle/internal/op"
)

// batchSize is the maximum number of keys in one BatchGetItem request.
const batchSize = 100

// Reads are the reads of a table that wait for their window, or that are in flight. The zero value
// has none.
type Reads struct {
	mu      sync.Mutex
	flights map[place]*flight  // the latest one of each item
	open    map[group]*request // the requests whose window is open
}

// group is what reads of one request have in common.
type group struct {
	table   string
	tenant  string
	bound   bool // to the tenant
	values  bool // the SDK reads the items
	timeout time.Duration
	sdk     *func(*dynamodb.Options) // identifies the list of options
	options int
	window  time.Duration
}

// place is an item, or a part of it.
type place struct {
	group
	item, projection string
}

// Within returns a coalescer whose batch reads start a window after their first read. With a window
// of zero there are no batch reads: only reads of the same item share a request.
func (r *Reads) Within(window time.Duration) exec.Coalescer {
	exec.CountWrites()
	return coalescer{r, window}
}

type coalescer struct {
	reads  *Reads
	window time.Duration
}

// Get reads an item for a call. It returns early if the context ends.
func (c coalescer) Get(ctx context.Context, call *exec.Call, act *op.Action) (core.Rows, *trestle.OpError) {
	if err := ctx.Err(); err != nil {
		return core.Rows{}, call.FailAt(act.Key, err)
	}
	w := c.join(ctx, call, act)
	select {
	case got := <-w.done:
		return got.returnTo(call, act)
	case <-ctx.Done():
		if !c.reads.leave(w) {
			return (<-w.done).returnTo(call, act) // it has just arrived
		}
		return core.Rows{}, call.FailAt(act.Key, ctx.Err())
	}
}

// join adds a waiter for an item to the flight that reads it, or to a new one.
func (c coalescer) join(ctx context.Context, call *exec.Call, act *op.Action) *waiter {
	p := c.placeOf(call.Config, act)
	r := c.reads
	r.mu.Lock()
	defer r.mu.Unlock()
	f := r.flights[p]
	if f == nil || f.outdated() {
		f = &flight{place: p, act: act, schema: act.Plan.Schema}
		if r.flights == nil {
			r.flights, r.open = map[place]*flight{}, map[group]*request{}
		}
		r.flights[p] = f
		r.add(ctx, call, f)
	}
	w := &waiter{flight: f, done: make(chan result, 1)}
	f.waiters = append(f.waiters, w)
	f.request.waiting++
	return w
}

// placeOf returns the item that an action reads.
func (c coalescer) placeOf(config *exec.Config, act *op.Action) place {
	p := place{group: group{table: act.TableOr(config.Table), timeout: config.Timeout, options: len(config.SDK), window: c.window}}
	p.values = config.AttributeValues
	p.tenant, p.bound = config.Tenant.ID(), config.Tenant != nil
	if len(config.SDK) > 0 {
		p.sdk = &config.SDK[0]
	}
	p.item = act.Plan.Schema.Identity(core.NewRow(act.Key))
	if act.Projection != "" {
		var names []string
		for placeholder, name := range act.Names {
			names = append(names, placeholder+"\x00"+name)
		}
		slices.Sort(names)
		p.projection = act.Projection + "\x00" + strings.Join(names, "\x00")
	}
	return p
}

// add adds a new flight to the open request of its group, or starts a request for it alone.
func (r *Reads) add(ctx context.Context, call *exec.Call, f *flight) {
	if f.window <= 0 || f.projection != "" {
		q := newRequest(ctx, r, call)
		q.add(f)
		r.start(q)
		return
	}
	q := r.open[f.group]
	if q == nil {
		q = newRequest(ctx, r, call)
		r.open[f.group] = q
		q.timer = time.AfterFunc(f.window, func() {
			r.mu.Lock()
			defer r.mu.Unlock()
			r.start(q)
		})
	}
	if q.add(f); len(q.flights) == batchSize {
		r.start(q)
	}
}

// start sends a request, once. It leaves out the items for which no call waits any more.
func (r *Reads) start(q *request) {
	if q.started {
		return
	}
	q.started = true
	if q.timer != nil {
		q.timer.Stop()
		delete(r.open, q.flights[0].group)
	}
	go q.send()
}

// leave removes a waiter whose context has ended, unless it has its result. A request without
// waiters is canceled.
func (r *Reads) leave(w *waiter) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	f := w.flight
	i := slices.Index(f.waiters, w)
	if i < 0 {
		return false
	}
	f.waiters = slices.Delete(f.waiters, i, i+1)
	if f.request.waiting--; f.request.waiting == 0 && f.request.started {
		for _, f := range f.request.flights {
			r.forget(f)
		}
		f.request.cancel()
	}
	return true
}

// forget lets no further reads join a flight.
func (r *Reads) forget(f *flight) {
	if r.flights[f.place] == f {
		delete(r.flights, f.place)
	}
}
