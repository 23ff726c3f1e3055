package call

import (
	"context"
	"math/rand/v2"
	"time"

	"github.com/trestledb/trestle/internal/fail"
	"github.com/trestledb/trestle/internal/op"
)

// Replans is how often an operation that was planned from a reading is planned at the most, when other writers come between.
const Replans = 8

// Do carries an operation out and hands the reply to take, whose error is the operation's too: what came back is not there, or cannot be
// read. The observer is told when all that is over. The error is a *Failure.
func Do(ctx context.Context, e *Env, o *op.Operation, take func(op.Reply) error) error {
	start := time.Now()
	t := tally{env: e, operation: o}
	reply, f := t.run(ctx)
	reply.Capacity, reply.Attempts = t.capacity, t.attempts
	if f == nil {
		f = t.taken(reply, take(reply))
	}
	t.observe(ctx, reply, f, start)
	if f != nil {
		return f
	}
	return nil
}

// tally sums up what an operation took, all its requests together.
type tally struct {
	env       *Env
	operation *op.Operation
	capacity  op.Capacity
	attempts  int
	requests  int
	throttled []string
}

func (t *tally) run(ctx context.Context) (op.Reply, *Failure) {
	if t.operation.PreRead == nil {
		return t.send(ctx, &t.operation.Primary)
	}
	return t.readThenWrite(ctx)
}

// readThenWrite plans the action from the item, and plans it again from the item that its guards met, as long as it was another
// writer that came between and not the caller's own condition that failed.
func (t *tally) readThenWrite(ctx context.Context) (op.Reply, *Failure) {
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
		met = f.Met
		if err := pause(ctx, try); err != nil {
			return reply, t.refused(pre.Read.Key, err)
		}
	}
}

// overtaken reports whether an action failed because the item is not as it was read any more.
func overtaken(f *Failure, act *op.Action) bool {
	if f.Outcome != op.NotApplied || f.Kind == nil {
		return false
	}
	for _, g := range act.Why.Guards {
		if !sameValue(f.Met[g.Attribute], g.Value) {
			return true
		}
	}
	return false
}

// pause waits before a further try: full jitter, up to 20 ms after the first and twice that after each more.
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

// observe tells the observer, if there is one.
func (t *tally) observe(ctx context.Context, r op.Reply, f *Failure, start time.Time) {
	if t.env.Observe == nil {
		return
	}
	ev := Event{
		Operation: t.operation.Name, Table: t.env.Table, Access: t.operation.Access, Requests: t.requests, Attempts: t.attempts,
		Throttled: t.throttled, Capacity: t.capacity, Outcome: t.applied(), Duration: time.Since(start),
	}
	if p := t.operation.Plan; p != nil {
		ev.Entity = p.Name
	}
	if len(r.Item) > 0 && f == nil {
		ev.Items = 1
	}
	if f != nil {
		ev.Outcome, ev.Err = f.Outcome, f
	}
	t.env.Observe(ctx, ev)
}

// refused is a failure before the write was sent, or between two tries of it.
func (t *tally) refused(key op.Item, err error) *Failure {
	f := t.failure(err)
	f.Kind, f.Outcome, f.Key = fail.KindOf(err), t.unsent(), key
	return f
}

// taken is the failure to take a reply: of a write, it was applied all the same. Nil stays nil.
func (t *tally) taken(r op.Reply, err error) *Failure {
	if err == nil {
		return nil
	}
	f := t.failure(err)
	f.Kind, f.RequestID, f.Key = fail.KindOf(err), r.RequestID, keyOf(&t.operation.Primary)
	if pre := t.operation.PreRead; pre != nil {
		f.Key = pre.Read.Key
	}
	f.Outcome = t.applied()
	return f
}

// applied is the outcome of an operation whose requests succeeded.
func (t *tally) applied() op.Outcome {
	if t.unsent() == op.NoWrite {
		return op.NoWrite
	}
	return op.Applied
}

// unsent is the outcome as long as no write was sent.
func (t *tally) unsent() op.Outcome {
	if t.operation.PreRead == nil && t.operation.Primary.Verb == op.Get {
		return op.NoWrite
	}
	return op.NotApplied
}

func (t *tally) failure(err error) *Failure {
	f := &Failure{Operation: t.operation.Name, Table: t.env.Table, Attempts: t.attempts, Err: err}
	if p := t.operation.Plan; p != nil {
		f.Plan, f.Entity = p, p.Name
	}
	return f
}
