package write

import (
	"time"

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
	f := s.plan.TTL
	if s.plan.Lifetime == 0 || !f.IsZero(s.entity) {
		return nil
	}
	s.fields.Add(f)
	v, err := lifetimeEnd(s.plan, s.now)
	if err == nil {
		err = f.SetKey(v, s.entity)
	}
	return errs.Wrap(f.Name, err)
}

// setExpiry sets the time to live if an upsert finds none, the type has a lifetime, and the caller
// does not change the time to live.
func (p *updatePlanner) setExpiry() error {
	f := p.Plan.TTL
	if p.Plan.Lifetime == 0 || !p.Upsert || p.changesField(f) {
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
