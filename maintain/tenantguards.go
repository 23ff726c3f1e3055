package maintain

import (
	"context"
	"errors"
	"slices"

	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/exec"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/internal/reserved"
	"github.com/trestledb/trestle/internal/write"
)

// guardOwner returns the key of the item that a guard names. It returns nil for an item that is no
// guard, and for a guard to which no item of the tenant can lead.
func (r *removal) guardOwner(item op.Item) op.Item {
	if !r.isGuard(item) {
		return nil
	}
	owner := write.GuardOwner(r.Schema, item)
	if p, _ := write.GuardOf(r.Schema, item); p == nil || owner == nil || r.Schema.TenantOf(owner) != r.tenant {
		return nil
	}
	return owner
}

// deleteGuard deletes a guard, unless the item that it names leads to it. The deletion is
// conditional on both being as they were read. If they are not, they are read again.
func (r *removal) deleteGuard(ctx context.Context, guard, owner op.Item) error {
	key := r.Schema.KeyOf(core.NewRow(guard))
	for try := 1; owner != nil; try++ {
		item, err := r.get(ctx, owner)
		if err != nil || r.leadsTo(item, guard) {
			return err
		}
		p, u := write.GuardOf(r.Schema, guard)
		check := write.GuardCheck{Plan: p, Unique: u, Key: key, Guard: guard, Owner: write.Stored{Key: owner, Item: item}}
		actions, err := check.Repair(write.GuardUnowned)
		if err != nil {
			return err
		}
		err = r.send(ctx, actions, func(op.Reply) { r.Locked(func() { r.report.Deleted++ }) })
		var failed *exec.ConditionFailure
		if !errors.As(err, &failed) || try == exec.Replans {
			return err
		}
		if guard, err = r.get(ctx, key); err != nil || guard == nil {
			return err
		}
		owner = r.guardOwner(guard)
	}
	_, err := r.deletePage(ctx, []op.Item{guard})
	return err
}

// leadsTo reports whether an item leads to a guard: the deletion of the item also deletes it.
func (r *removal) leadsTo(item, guard op.Item) bool {
	p := r.Schema.PlanOf(core.NewRow(item))
	if item == nil || p == nil || len(p.Uniques) == 0 {
		return false
	}
	guards, _ := write.StoredGuards(p, item) // an item that cannot be decoded leads to none
	id := r.Schema.Identity(core.NewRow(guard))
	return slices.ContainsFunc(guards, func(key op.Item) bool { return key != nil && r.Schema.Identity(core.NewRow(key)) == id })
}

// get reads an item, strongly consistent. It returns nil for no item.
func (r *removal) get(ctx context.Context, key op.Item) (item op.Item, err error) {
	act := op.Action{Verb: op.Get, Plan: &core.Plan{Schema: r.Schema}, Key: key, Strong: true, Idempotent: true}
	err = r.send(ctx, []op.Action{act}, func(reply op.Reply) { item = reply.Rows.First().Item() })
	return item, err
}

func (r *removal) isGuard(item op.Item) bool { return reserved.IsGuard(r.ownPartition(item)) }
