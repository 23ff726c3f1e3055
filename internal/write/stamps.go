package write

import (
	"time"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/expr"
	"github.com/trestledb/trestle/keys"
)

// Stamps are the role fields that a put sets. The caller's struct gets them after the write is
// applied.
type Stamps struct {
	plan   *core.Plan
	entity codec.Ptr
	old    int64 // the version before the put
	now    time.Time
	fields expr.SmallVec[*codec.Field]
}

// Apply copies the stamps into the caller's struct.
func (s *Stamps) Apply(to codec.Ptr) error {
	for i := range s.fields.Len() {
		f := *s.fields.At(i)
		v, err := f.Key(s.entity)
		if err == nil {
			err = f.SetKey(v, to)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// AddTenant adds the tenant, which the handle of a tenant has set in the entity.
func (s *Stamps) AddTenant() {
	if s.plan != nil {
		s.fields.Add(s.plan.Tenant)
	}
}

func (s *Stamps) setVersion() error {
	f := s.plan.Version
	if f == nil {
		return nil
	}
	s.fields.Add(f)
	return setNextVersion(f, s.old, s.entity)
}

func (s *Stamps) setUpdated() error { return s.setTime(s.plan.Updated) }

// setCreated sets the creation time of an entity without one.
func (s *Stamps) setCreated() error {
	if f := s.plan.Created; f != nil && f.IsZero(s.entity) {
		return s.setTime(f)
	}
	return nil
}

// setTime sets a field to the time of the call, in the precision of its stored form, such as
// seconds.
func (s *Stamps) setTime(f *codec.Field) error {
	if f == nil {
		return nil
	}
	s.fields.Add(f)
	v, err := s.plan.RoundTrip(f, keys.Time(s.now))
	if err == nil {
		err = f.SetKey(v, s.entity)
	}
	return errs.Wrap(f.Name, err)
}
