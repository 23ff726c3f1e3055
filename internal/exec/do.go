package exec

import (
	"context"
	"math/rand/v2"
	"time"

	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/op"
)

// Replans is the maximum number of times that an operation with a PreRead is planned. It is planned
// again if another writer changed the item.
const Replans = 8

// Do executes an operation and calls take with the reply. The operation fails with the error of
// take, which reports a missing item or one that cannot be decoded. Do notifies the observer before
// the first request and after take. An error is a *Failure.
func Do(ctx context.Context, e *Config, o *op.Operation, take func(op.Reply) error) error {
	t := stats{ongoing: start(e, Info{Operation: o.Name, Table: e.Table, Access: o.Access}, o.Plan, unsent(o)), operation: o}
	return t.Observe(ctx, func(ctx context.Context) error {
		if f := t.carryOut(ctx, take); f != nil {
			return f
		}
		return nil
	})
}

// unsent returns the outcome of an operation before the first request.
func unsent(o *op.Operation) op.Outcome {
	if o.PreRead == nil && o.Primary.Verb == op.Get {
		return op.NoWrite
	}
	return op.NotApplied
}

// stats is a running operation on one item, with all its requests.
type stats struct {
	ongoing
	operation *op.Operation
}

func (t *stats) carryOut(ctx context.Context, take func(op.Reply) error) *Failure {
	reply, f := t.run(ctx)
	if f != nil {
		return f
	}
	reply.Capacity, reply.Attempts = t.Capacity, t.Attempts
	if err := take(reply); err != nil {
		return t.notTaken(reply, err)
	}
	if len(reply.Item) > 0 {
		t.Items = 1
	}
	return nil
}

func (t *stats) run(ctx context.Context) (op.Reply, *Failure) {
	if t.operation.PreRead == nil {
		return t.send(ctx, &t.operation.Primary)
	}
	return t.readThenWrite(ctx)
}

// readThenWrite plans the action from the stored item. If another writer changed the item, it plans
// again from the item that the failed conditional check returned. It does not repeat after a
// failure of the caller's own condition.
func (t *stats) readThenWrite(ctx context.Context) (op.Reply, *Failure) {
	pre := t.operation.PreRead
	reply, f := t.send(ctx, &pre.Read)
	if f != nil {
		return reply, f
	}
	met := reply.Item
	for try := 1; ; try++ {
		act, err := pre.Plan(met)
		if err != nil {
			return op.Reply{}, t.refused(pre.Read.Key, err)
		}
		reply, f = t.send(ctx, &act)
		if f == nil || !overtaken(f, &act) || try == Replans {
			return reply, f
		}
		met = f.Existing
		if err := pause(ctx, try); err != nil {
			return reply, t.refused(pre.Read.Key, err)
		}
	}
}

// overtaken reports whether an action failed because the item changed after it was read.
func overtaken(f *Failure, act *op.Action) bool {
	if f.Outcome != op.NotApplied || f.Kind == nil {
		return false
	}
	for _, g := range act.Check.Planned {
		if !sameValue(f.Existing[g.Attribute], g.Value) {
			return true
		}
	}
	return false
}

// pause waits before a retry. It uses full jitter: at most 20 ms after the first try, doubled after
// each further try.
func pause(ctx context.Context, tries int) error {
	t := time.NewTimer(rand.N(10 * time.Millisecond << tries))
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}

// refused returns the failure of an operation before its write was sent, or between two tries.
func (t *stats) refused(key op.Item, err error) *Failure {
	f := t.failure(err)
	f.Kind, f.Key = errs.KindOf(err), key
	return f
}

// notTaken returns the failure if take returned an error. A write was applied nonetheless.
func (t *stats) notTaken(r op.Reply, err error) *Failure {
	f := t.refused(keyOf(&t.operation.Primary), err)
	f.RequestID = r.RequestID
	if pre := t.operation.PreRead; pre != nil {
		f.Key = pre.Read.Key
	}
	return f
}
