package maintain

import (
	"context"
	"errors"
	"time"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/internal/scan"
	"github.com/trestledb/trestle/internal/write"
)

// kindOf has the kinds of problems of guards.
var kindOf = [...]Kind{
	write.GuardMissing: GuardMissing, write.GuardOfOther: GuardOfOther, write.GuardUnowned: GuardUnowned,
	write.GuardExpiry: GuardExpiry, write.ValueTwice: ValueTwice, write.GuardUnchecked: Undecodable,
}

// maxTries is how often something is read again, or its repair is tried, if other writers change it
// at the same time.
const maxTries = 8

// guardCheck is a check of one guard.
type guardCheck struct {
	write.GuardCheck
	orphan bool // it was found as a guard, not as the guard of an item
}

// setOwner sets the item that the guard names.
func (c *guardCheck) setOwner() {
	switch owner := write.GuardOwner(c.Plan.Schema, c.Guard); {
	case owner == nil:
		c.Owner = write.Stored{}
	case c.Owner.Key == nil || !c.sameKey(owner, c.Owner.Key):
		if c.Owner = (write.Stored{Key: owner}); c.Same() {
			c.Owner = c.Holder
		}
	}
}

func (c *guardCheck) sameKey(a, b op.Item) bool {
	s := c.Plan.Schema
	return s.Identity(core.NewRow(a)) == s.Identity(core.NewRow(b))
}

// settle reports or repairs the problems of a page. It handles the guards of one item one after the
// other, because their repairs would conflict.
func (r *guardTask) settle(ctx context.Context, checks []*guardCheck) error {
	var groups [][]*guardCheck
	for _, c := range checks {
		if r.problem(c) == 0 {
			continue
		}
		if n := len(groups); n > 0 && c.Holder.Key != nil && c.sameKey(groups[n-1][0].Holder.Key, c.Holder.Key) {
			groups[n-1] = append(groups[n-1], c)
		} else {
			groups = append(groups, []*guardCheck{c})
		}
	}
	return r.Parallel(ctx, len(groups), func(ctx context.Context, i int) error {
		for _, c := range groups[i] {
			if err := r.resolve(ctx, c); err != nil {
				return err
			}
		}
		return nil
	})
}

// problem returns the problem of a guard that this check is responsible for, or 0. A guard whose
// item has the value is checked with the item. A guard of an item that has lost the value in the
// meantime is checked by itself.
func (r *guardTask) problem(c *guardCheck) write.GuardProblem {
	kind, _ := r.lasting(c)
	if c.orphan != (kind == write.GuardUnowned) {
		return 0
	}
	return kind
}

// clockDifference is how far the clock of a program that writes may be ahead of the one that
// checks.
const clockDifference = time.Minute

// lasting returns what is wrong with a guard now. A problem that ends within clockDifference, when
// items expire, is none: a program whose clock is ahead may have taken over a value that has not
// expired here.
func (r *guardTask) lasting(c *guardCheck) (write.GuardProblem, error) {
	now := r.Config.Now()
	if later, err := c.Problem(now.Add(clockDifference)); later == 0 {
		return 0, err
	}
	return c.Problem(now)
}

// resolve repairs a problem or reports it. It reports only what it has read at one moment, so that
// a change at the same time is no problem.
func (r *guardTask) resolve(ctx context.Context, c *guardCheck) error {
	var lost write.GuardProblem // the problem whose repair may have been applied
	confirmed := false
	for try := 1; ; try++ {
		kind := r.problem(c)
		switch {
		case kind == 0:
			r.countRepair(lost)
			return nil
		case !r.options.DryRun && kind != write.ValueTwice && kind != write.GuardUnchecked:
			err := r.repair(ctx, c, kind)
			if err == nil || !scan.Temporary(err) {
				return err
			}
			if try == maxTries {
				r.add(c, kindOf[kind], err)
				return nil
			}
			if errors.Is(err, errs.Unknown) {
				lost = kind
			}
		case confirmed:
			r.add(c, kindOf[kind], nil)
			return nil
		}
		var err error
		if try > 1 || !r.options.DryRun {
			err = r.Pause(ctx, try)
		}
		if err == nil {
			err = r.readAgain(ctx, c)
		}
		switch {
		case err == nil:
			confirmed = true
		case !scan.Temporary(err):
			return err
		case try == maxTries:
			r.add(c, Changing, err)
			return nil
		}
	}
}

// add adds a problem.
func (r *guardTask) add(c *guardCheck, kind Kind, err error) {
	if err == nil && kind == Undecodable {
		_, err = r.lasting(c)
	}
	p := Problem{Kind: kind, Entity: c.Plan.Name, Item: c.Holder.Key, Other: c.Owner.Key, Err: err}
	if c.Unique != nil {
		p.Name = c.Unique.Name
	}
	if c.Guard != nil {
		p.Guard = c.Key
	}
	if c.Same() {
		p.Other = nil
	}
	r.addOf(p, c.Key)
}

// repair sends the repair of a problem.
func (r *guardTask) repair(ctx context.Context, c *guardCheck, kind write.GuardProblem) error {
	actions, err := c.Repair(kind)
	if err != nil {
		return r.Fail(trestle.NotApplied, err)
	}
	if err = r.Do(ctx, c.Plan, actions, func(op.Reply) {}); err == nil {
		r.countRepair(kind)
	}
	return err
}

// countRepair counts the repair of a problem; 0 is none.
func (r *guardTask) countRepair(kind write.GuardProblem) {
	r.Locked(func() {
		switch kind {
		case 0:
		case write.GuardMissing:
			r.report.Created++
		case write.GuardUnowned:
			r.report.Deleted++
		default:
			r.report.Corrected++
		}
	})
}

// readAgain reads the guard and its items again, at one moment.
func (r *guardTask) readAgain(ctx context.Context, c *guardCheck) error {
	for {
		owner := c.Owner.Key
		items := []*op.Item{&c.Guard}
		reads := []op.Action{getAction(c.Plan, c.Key)}
		if c.Holder.Key != nil {
			items, reads = append(items, &c.Holder.Item), append(reads, getAction(c.Plan, c.Holder.Key))
		}
		if owner != nil && !c.Same() {
			items, reads = append(items, &c.Owner.Item), append(reads, getAction(c.Plan, owner))
		}
		err := r.Do(ctx, c.Plan, reads, func(reply op.Reply) {
			rows := reply.Rows
			for i, item := range items {
				if *item = nil; i < rows.Len() && !rows.At(i).Empty() {
					*item = rows.At(i).Item()
				}
			}
		})
		if err != nil {
			return err
		}
		c.setOwner()
		if c.Owner.Key == nil || owner != nil && c.sameKey(owner, c.Owner.Key) || c.Same() {
			if c.Same() {
				c.Owner = c.Holder
			}
			return nil
		}
	}
}

// getAction returns a read of an item as an action.
func getAction(p *core.Plan, key op.Item) op.Action {
	return op.Action{Verb: op.Get, Plan: p, Key: key, Strong: true, Idempotent: true}
}
