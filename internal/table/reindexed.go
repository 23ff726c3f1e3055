package table

import (
	"context"
	"errors"
	"time"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/internal/write"
)

// reindexed is an item during a reindex.
type reindexed struct {
	run    *reindexRun
	stored write.Stored
	next   *write.Reindex
	guards []op.Item // as they were read, by unique value
	target op.Item   // the item under the new key, as it was read
	again  bool      // everything was read again
	lost   *sent     // the last write without a reply; nil: none
}

// sent is what a write changes.
type sent struct {
	next   *write.Reindex
	claims []bool
}

// compare compares the item with what its fields render to. It returns false, and adds a problem,
// if that is not possible.
func (i *reindexed) compare() bool {
	expiry := i.run.expiry()
	next, err := write.NewReindex(i.run.plan, i.stored, i.run.options.Regroups, expiry)
	switch {
	case err != nil && expiry.Expired(i.run.plan, core.NewRow(i.stored.Item)): // nobody needs its keys
	case next == nil:
		i.add(trestle.ReindexUndecodable, err)
	case err != nil:
		i.add(trestle.ReindexNoKey, err)
	default:
		i.next, i.guards = next, make([]op.Item, len(i.run.plan.Uniques))
	}
	return err == nil
}

// settle changes the item, or adds its problems. It reports only what it has read again, so that a
// change at the same time is no problem.
func (i *reindexed) settle(ctx context.Context) error {
	for try := 1; ; try++ {
		claims, taken := i.claims()
		actions, err := i.next.Actions(claims, i.run.Config.Now())
		switch {
		case err != nil:
			i.add(trestle.ReindexNoKey, err)
			return nil
		case i.again && i.next.Blocks(i.target):
			i.addTaken(trestle.ReindexKeyTaken, "", i.next.To())
			return nil
		case len(actions) == 0 && len(taken) == 0:
			i.countLost()
			return nil
		case !i.again && (len(taken) > 0 || i.next.Blocks(i.target)):
		case i.run.options.DryRun:
			i.predict(claims, taken)
			return nil
		case len(actions) == 0:
			i.countLost()
			i.addTakenValues(taken)
			return nil
		default:
			err := i.send(ctx, actions)
			if err == nil {
				i.addTakenValues(taken)
				i.count(sent{i.next, claims})
				return nil
			}
			if !temporary(err) {
				return err
			}
			if errors.Is(err, errs.Unknown) {
				i.lost = &sent{i.next, claims}
			}
			if try >= maxTries {
				i.add(trestle.ReindexChanging, err)
				return nil
			}
			if err := i.run.pause(ctx, try); err != nil {
				return err
			}
		}
		if exists, err := i.read(ctx); err != nil || !exists {
			return err
		}
	}
}

// claims returns which guards the item claims, and the indexes of the unique values that other
// items have.
func (i *reindexed) claims() (claims []bool, taken []int) {
	claims = make([]bool, len(i.guards))
	for n, guard := range i.guards {
		switch i.next.GuardState(n, guard, i.run.Config.Now()) {
		case write.GuardFree:
			claims[n] = true
		case write.GuardTaken:
			taken = append(taken, n)
		default:
		}
	}
	return claims, taken
}

// count counts what a write has changed.
func (i *reindexed) count(s sent) {
	r := i.run
	r.locked(func() {
		switch {
		case s.next.Moves():
			r.report.Moved++
		case s.next.Changes():
			r.report.Updated++
		}
		for _, claimed := range s.claims {
			if claimed {
				r.report.Guards++
			}
		}
	})
}

// countLost counts the last write without a reply, after the item was found to be as it should be.
func (i *reindexed) countLost() {
	if i.lost != nil {
		i.count(*i.lost)
	}
}

// countLostMove counts the last write without a reply if it was a move, after the item was found to
// be gone: then an item of the type has the new key.
func (i *reindexed) countLostMove(ctx context.Context) error {
	if i.lost == nil || !i.lost.next.Moves() {
		return nil
	}
	moved := false
	err := i.run.get(ctx, []op.Item{i.lost.next.To()}, func(_ int, row core.Row) { moved = i.run.Schema.PlanOf(row) == i.run.plan })
	if moved {
		i.countLost()
	}
	return err
}

// read reads the item, its guards and the item under its new key again. It returns false if the
// item does not exist any more, or is of another type, or has a problem.
func (i *reindexed) read(ctx context.Context) (bool, error) {
	var item op.Item
	r := i.run
	if err := r.get(ctx, []op.Item{i.stored.Key}, func(_ int, row core.Row) { item = row.Item() }); err != nil {
		return false, err
	}
	if item == nil || r.Schema.PlanOf(core.NewRow(item)) != r.plan {
		return false, i.countLostMove(ctx)
	}
	if i.stored.Item = item; !i.compare() {
		return false, nil
	}
	i.again, i.target = true, nil
	if err := r.readTargets(ctx, []*reindexed{i}); err != nil {
		return false, err
	}
	return true, r.readGuards(ctx, []*reindexed{i})
}

// add adds a problem of the item.
func (i *reindexed) add(kind trestle.ReindexProblemKind, err error) {
	i.run.found.add(trestle.ReindexProblem{Kind: kind, Entity: i.run.plan.Name, Item: i.stored.Key, Err: err})
}

// addTakenValues adds the problems of unique values that other items have.
func (i *reindexed) addTakenValues(taken []int) {
	for _, n := range taken {
		i.addTaken(trestle.ReindexValueTaken, i.run.plan.Uniques[n].Name, write.GuardOwner(i.run.Schema, i.guards[n]))
	}
}

// addTaken adds the problem that another item has the key or a unique value of the item. other is
// nil if it is unknown.
func (i *reindexed) addTaken(kind trestle.ReindexProblemKind, unique string, other op.Item) {
	i.run.found.add(trestle.ReindexProblem{Kind: kind, Entity: i.run.plan.Name, Unique: unique, Item: i.stored.Key, Other: other})
}

// send sends writes, not faster than the rate.
func (i *reindexed) send(ctx context.Context, actions []op.Action) error {
	r := i.run
	if err := r.awaitRate(ctx); err != nil {
		return err
	}
	var units float64
	err := r.do(ctx, r.plan, actions, func(reply op.Reply) { units = reply.Capacity.Write })
	if err != nil && temporary(err) {
		units = i.failedUnits(actions)
		r.locked(func() { r.capacity.Write += units })
	}
	r.locked(func() { r.limiter.add(units, time.Now()) })
	return err
}

// failedUnits estimates the write units of a failed write, which DynamoDB does not report: those of
// the stored item, one for each other item, and twice as much in a transaction.
func (i *reindexed) failedUnits(actions []op.Action) float64 {
	units := len(actions) - 1 + max(1, (codec.ItemSize(i.stored.Item)+1023)/1024)
	if len(actions) > 1 {
		units *= 2
	}
	return float64(units)
}

// awaitRate waits until the rate allows another write.
func (r *reindexRun) awaitRate(ctx context.Context) error {
	var delay time.Duration
	r.locked(func() { delay = r.limiter.delay(time.Now()) })
	if err := wait(ctx, delay); err != nil {
		return r.invalid(r.name, trestle.NotApplied, err)
	}
	return nil
}
