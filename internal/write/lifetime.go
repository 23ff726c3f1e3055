package write

import (
	"time"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/keys"
)

// lifetimeEnd returns the time to live of an item of the type that is stored now.
func lifetimeEnd(p *core.Plan, now time.Time) (keys.Value, error) {
	end := keys.Time(now.Add(p.Lifetime))
	if kind, _ := p.TTL.KeyKind(); kind == keys.KindInt {
		end = keys.Int(now.Add(p.Lifetime).Unix())
	}
	return p.RoundTrip(p.TTL, end)
}

// setExpiry sets the time to live of an entity without one, if the type has a lifetime.
func (s *Stamps) setExpiry() error {
	if lacksExpiry(s.plan, s.entity) {
		s.fields.Add(s.plan.TTL)
	}
	return SetExpiry(s.plan, s.entity, s.now)
}

// SetExpiry sets the time to live of an entity without one, if the type has a lifetime.
func SetExpiry(p *core.Plan, entity codec.Ptr, now time.Time) error {
	if !lacksExpiry(p, entity) {
		return nil
	}
	v, err := lifetimeEnd(p, now)
	if err == nil {
		err = p.TTL.SetKey(v, entity)
	}
	return errs.Wrap(p.TTL.Name, err)
}

func lacksExpiry(p *core.Plan, entity codec.Ptr) bool {
	return p.Lifetime != 0 && p.TTL.IsZero(entity)
}

// setExpiry sets the time to live if an upsert finds none, the type has a lifetime, and the caller
// does not change the time to live.
func (p *updatePlanner) setExpiry() error {
	f := p.Plan.TTL
	if p.Plan.Lifetime == 0 || !p.mayCreate() || p.changesField(f) {
		return nil
	}
	v, err := lifetimeEnd(p.Plan, p.Now)
	if err != nil {
		return errs.Wrap(f.Name, err)
	}
	av, err := encodeValue(p.Plan, f, v)
	if err != nil {
		return err
	}
	return p.setIfAbsent(f, v, av)
}
