package repo

import (
	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/internal/write"
)

// existence is what the verbs require of their item. Delete creates nothing, so it is like a verb
// that requires the item.
var existence = map[Verb]write.Existence{
	Create: write.MustNotExist, Put: write.MayCreate, Overwrite: write.MayCreate, Upsert: write.MayCreate,
}

// locate lets a planned operation find its item, which may be under the key of an earlier number of
// shards.
func (o *Op) locate(p *planned, example codec.Ptr, ret trestle.Return, expiry core.Expiry) error {
	plan := o.repo.typ.Plan
	if o.verb == Move {
		return o.locateMove(p, example, expiry)
	}
	places, err := write.Places(plan, example)
	if err != nil || len(places) == 1 {
		return err
	}
	if o.verb == Get {
		p.Actions[0].Elsewhere = places[1:]
		return nil
	}
	if p.After == nil && o.verb == Upsert && ret == trestle.AllNew {
		p.After = &op.Action{Verb: op.Get, Plan: plan, Key: places[0], Strong: true, Idempotent: true}
	}
	p.Operation = write.Locate(p.Operation, plan, places, existence[o.verb], expiry)
	return nil
}

// locateMove lets a move find the old item, and check that the new one is nowhere.
func (o *Op) locateMove(p *planned, entity codec.Ptr, expiry core.Expiry) error {
	from, err := o.repo.view.Exec.Tenant.BindPtr(o.repo.typ.Plan, o.from)
	if err != nil {
		return err
	}
	for _, item := range []struct {
		at   codec.Ptr
		need write.Existence
	}{{from, write.MustExist}, {entity, write.MustNotExist}} {
		places, err := write.Places(o.repo.typ.Plan, item.at)
		if err != nil {
			return err
		}
		if len(places) > 1 {
			p.Operation = write.Locate(p.Operation, o.repo.typ.Plan, places, item.need, expiry)
		}
	}
	return nil
}
