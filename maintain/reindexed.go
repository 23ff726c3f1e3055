package maintain

import (
	"context"
	"errors"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/internal/scan"
	"github.com/trestledb/trestle/internal/write"
)

// reindexed is an item during a reindex.
type reindexed struct {
	storedItem
	task   *reindexTask
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
	var expiry core.Expiry
	if !i.task.shown {
		expiry = core.ExpiryOf(i.plan, i.task.Config.Now)
	}
	next, err := write.NewReindex(i.plan, i.Stored, i.task.options.Shards, expiry)
	switch {
	case err != nil && expiry.Expired(i.plan, core.NewRow(i.Item)): // nobody needs its keys
	case next == nil:
		i.add(Undecodable, err)
	case err != nil:
		i.add(NoKey, err)
	default:
		i.next, i.guards = next, make([]op.Item, len(i.plan.Uniques))
	}
	return err == nil
}

// settle changes the item, or adds its problems. It reports only what it has read again, so that a
// change at the same time is no problem.
func (i *reindexed) settle(ctx context.Context) error {
	for try := 1; ; try++ {
		claims, taken := i.claims()
		actions, err := i.next.Actions(claims, i.task.Config.Now())
		switch {
		case err != nil:
			i.add(NoKey, err)
			return nil
		case i.again && i.next.Blocks(i.target):
			i.addTaken(KeyTaken, "", i.next.To())
			return nil
		case len(actions) == 0 && len(taken) == 0:
			i.countLost()
			return nil
		case !i.again && (len(taken) > 0 || i.next.Blocks(i.target)):
		case i.task.options.DryRun:
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
			if !scan.Temporary(err) {
				return err
			}
			if errors.Is(err, errs.Unknown) {
				i.lost = &sent{i.next, claims}
			}
			if try >= maxTries {
				i.add(Changing, err)
				return nil
			}
			if err := i.task.Pause(ctx, try); err != nil {
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
		switch i.next.GuardState(n, guard, i.task.Config.Now()) {
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
	r := i.task
	r.Locked(func() {
		switch {
		case s.next.Moves():
			r.report.Moved++
		case s.next.Changes():
			r.report.Updated++
		}
		for _, claimed := range s.claims {
			if claimed {
				r.report.Created++
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
	err := i.task.Get(ctx, []op.Item{i.lost.next.To()}, func(_ int, row core.Row) { moved = i.task.Schema.PlanOf(row) == i.plan })
	if moved {
		i.countLost()
	}
	return err
}

// read reads the item, its guards and the item under its new key again. It returns false if the
// item does not exist any more, or is of another type, or has a problem.
func (i *reindexed) read(ctx context.Context) (bool, error) {
	var item op.Item
	r := i.task
	if err := r.Get(ctx, []op.Item{i.Key}, func(_ int, row core.Row) { item = row.Item() }); err != nil {
		return false, err
	}
	if item == nil || r.Schema.PlanOf(core.NewRow(item)) != i.plan {
		return false, i.countLostMove(ctx)
	}
	if i.Item = item; !i.compare() {
		return false, nil
	}
	i.again, i.target = true, nil
	if err := r.readTargets(ctx, []*reindexed{i}); err != nil {
		return false, err
	}
	return true, r.readGuards(ctx, []*reindexed{i})
}

// add adds a problem of the item.
func (i *reindexed) add(kind Kind, err error) {
	i.task.problems.add(Problem{Kind: kind, Entity: i.plan.Name, Item: i.Key, Err: err})
}

// addTakenValues adds the problems of unique values that other items have.
func (i *reindexed) addTakenValues(taken []int) {
	for _, n := range taken {
		i.addTaken(ValueTaken, i.plan.Uniques[n].Name, write.GuardOwner(i.task.Schema, i.guards[n]))
	}
}

// addTaken adds the problem that another item has the key or a unique value of the item. other is
// nil if it is unknown.
func (i *reindexed) addTaken(kind Kind, unique string, other op.Item) {
	i.task.problems.add(Problem{Kind: kind, Entity: i.plan.Name, Name: unique, Item: i.Key, Other: other})
}

// send sends writes.
func (i *reindexed) send(ctx context.Context, actions []op.Action) error {
	err := i.task.Do(ctx, i.plan, actions, func(op.Reply) {})
	if err != nil && scan.Temporary(err) {
		i.task.Spend(trestle.Capacity{Write: i.failedUnits(actions)})
	}
	return err
}

// failedUnits estimates the write units of a failed write, which DynamoDB does not report: those of
// the stored item, one for each other item, and twice as much in a transaction.
func (i *reindexed) failedUnits(actions []op.Action) float64 {
	units := len(actions) - 1 + max(1, (codec.ItemSize(i.Item)+1023)/1024)
	if len(actions) > 1 {
		units *= 2
	}
	return float64(units)
}
