package shard

import (
	"context"
	"errors"
	"slices"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/exec"
	"github.com/trestledb/trestle/internal/libitem"
	"github.com/trestledb/trestle/internal/op"
)

// maxTries is how often a request is sent if others resize or drain the counter at the same time.
const maxTries = 8

// Add adds n to a counter, which need not exist. n can be negative.
//
// What it costs, and what happens if it is repeated, depends on the [Mode]. In each mode, the first
// Add of a name by this Counters also reads the total item (half a read unit), again after each
// Refresh of the [Config], and the first Add of a new counter stores it (1 write unit). Units are
// per KB of the item, rounded up; the items of the library have less than 1 KB.
//
// Errors: [trestle.ErrUnknown] if a reply is lost. With a key, also if a request was throttled or
// refused before it was known whether an earlier call with the key was applied: the outcome
// [trestle.NotApplied] means that no call with the key was. In the exact modes, repeat the call
// with the same key then. [trestle.ErrCondition] if the key was counted with another number:
// nothing was added; in mode ExactWindow, this is ErrUnknown too. [trestle.ErrStale] if others
// resize the counter again and again.
func (c *Counters) Add(ctx context.Context, name string, n int64, options ...AddOption) error {
	if err := c.ready(opAdd, name); err != nil {
		return err
	}
	o, err := oneOption(options)
	if err == nil {
		err = o.check(c.config.Mode)
	}
	if err != nil {
		return c.failed(opAdd, err)
	}
	a := &addition{Counters: c, of: c.own(name), n: n, option: o}
	if err := a.keyFits(); err != nil {
		return c.failed(opAdd, err)
	}
	return a.certain(a.addInMode(ctx))
}

// addInMode lists the name, and adds.
func (a *addition) addInMode(ctx context.Context) error {
	if err := a.list(ctx, opAdd, a.of); err != nil {
		return withOutcome(err, trestle.NotApplied)
	}
	switch a.config.Mode {
	case ExactWindow:
		return a.addInWindow(ctx)
	case Approximate:
		return a.add(ctx, a.sendApproximate)
	case Events:
		return a.add(ctx, a.sendEvent)
	default:
		return a.add(ctx, a.sendForever)
	}
}

// addition is a running Add.
type addition struct {
	*Counters
	of     counter
	n      int64
	option AddOption
	denied bool // DynamoDB said that no call with the key was applied
}

// certain returns the error of the call. A call with a key of the caller may repeat an earlier one.
// So its outcome is unknown unless DynamoDB has shown that no call with the key was applied.
func (a *addition) certain(err error) error {
	if !a.option.option || a.denied {
		return err
	}
	return unlessApplied(err)
}

// keyFits reports why the marker or the event cannot have a key.
func (a *addition) keyFits() (err error) {
	switch a.config.Mode {
	case ExactForever:
		_, err = a.layout.markKey(a.of, a.option.key)
	case Events:
		_, err = a.layout.eventKey(a.of, 0, a.option.key)
	default:
	}
	return err
}

// result is the result of one request of an addition.
type result uint8

const (
	ended  result = iota // applied, or failed with the error
	closed               // the shard is closed: choose another one
)

// add sends the request of an addition. If its shard is closed, add reads the number of shards and
// sends it to another shard. If it is throttled because of its shard, add doubles the number of
// shards, and sends it once more if it was not applied.
func (a *addition) add(ctx context.Context, send func(context.Context, int) (op.Reply, result, error)) error {
	shards, err := a.open(ctx, opAdd, a.of)
	if err != nil {
		return withOutcome(err, trestle.NotApplied)
	}
	again := true // it may be sent once more after the counter has grown
	lost := false // a request may still arrive
	for range maxTries {
		reply, r, err := send(ctx, shards)
		lost = lost || trestle.OutcomeOf(err) == trestle.Unknown
		switch hot := isHot(append(exec.Throttling(err), reply.Throttled...)); {
		case r == closed:
			s, failure := a.load(ctx, opAdd, a.of, true)
			if failure != nil {
				return a.afterLoss(lost, withOutcome(failure, trestle.NotApplied))
			}
			shards = s.shards
		case !hot:
			return a.afterLoss(lost, err)
		default:
			grown := a.growAfterThrottling(ctx, a.of, shards)
			if err == nil || grown <= shards || !again || lost {
				return a.afterLoss(lost, err)
			}
			again, shards = false, grown
		}
	}
	return a.afterLoss(lost, a.failed(opAdd, errResized))
}

// afterLoss returns the error of the last request as that of the addition. If an earlier request
// may still arrive, the outcome is unknown, unless the stored marker shows that it cannot be
// applied.
func (a *addition) afterLoss(lost bool, err error) error {
	if err == nil || !lost || errors.Is(err, errKeyUsed) || trestle.OutcomeOf(err) == trestle.Unknown {
		return err
	}
	return a.unknown(opAdd, "a request had no reply, and a later one failed", "repeat the call with the same key", cause(err))
}

// hotReasons are the reasons for throttling one partition. A canceled transaction has no more than
// the code.
var hotReasons = []string{"TableWriteKeyRangeThroughputExceeded", "ThrottlingError", "ProvisionedThroughputExceeded"}

// isHot reports whether a shard was throttled.
func isHot(reasons []string) bool {
	return slices.ContainsFunc(reasons, func(r string) bool { return slices.Contains(hotReasons, r) })
}

// increment returns the update that adds to a shard, unless it is closed.
func (a *addition) increment(shard int) (op.Action, error) {
	key, err := a.layout.partKey(a.of, part{shard: shard})
	if err != nil {
		return op.Action{}, err
	}
	b := libitem.NewUpdate(key)
	b.Add(a.layout.value, libitem.Number(a.n))
	a.setOwn(b)
	if a.config.Mode != ExactWindow { // there, a repeated request must be the same
		a.setUpdated(b)
	}
	b.RequireNone(attrClosed)
	act := b.Action()
	act.Label = "a shard of the counter"
	return act, nil
}

// sendApproximate adds to a random shard.
func (a *addition) sendApproximate(ctx context.Context, shards int) (op.Reply, result, error) {
	shard, err := a.randomShard(shards)
	if err != nil {
		return op.Reply{}, ended, a.failed(opAdd, err)
	}
	act, err := a.increment(shard)
	if err != nil {
		return op.Reply{}, ended, a.failed(opAdd, err)
	}
	reply, err := a.do(ctx, opAdd, []op.Action{act})
	if _, failed := unmetConditions(err, 1); failed {
		return reply, closed, err
	}
	return reply, ended, err
}
