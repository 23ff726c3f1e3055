package write

import (
	"time"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/keys"
)

// Stamps are the role fields that a put sets. The caller's struct gets them after the write is
// applied.
type Stamps struct {
	plan   *core.Plan
	fields []*codec.Field
	entity codec.Ptr
}

// Apply copies the stamps into the caller's struct.
func (s Stamps) Apply(to codec.Ptr) error {
	for _, f := range s.fields {
		v, err := f.Key(s.entity)
		if err != nil {
			return err
		}
		if err := f.SetKey(v, to); err != nil {
			return err
		}
	}
	return nil
}

// setPutRoles sets the version and the times in the copy of the entity to store. The version is old
// + 1.
func setPutRoles(p *core.Plan, entity codec.Ptr, old int64, now time.Time) (Stamps, error) {
	s := Stamps{plan: p, entity: entity}
	if p.Version != nil {
		if err := setNextVersion(p.Version, old, entity); err != nil {
			return s, err
		}
		s.fields = append(s.fields, p.Version)
	}
	if p.Created != nil && p.Created.IsZero(entity) {
		if err := s.setTime(p.Created, now); err != nil {
			return s, err
		}
	}
	if p.Updated != nil {
		if err := s.setTime(p.Updated, now); err != nil {
			return s, err
		}
	}
	return s, nil
}

// setTime sets a time field in the precision of its stored form, such as seconds.
func (s *Stamps) setTime(f *codec.Field, t time.Time) error {
	v, err := s.plan.RoundTrip(f, keys.Time(t))
	if err == nil {
		err = f.SetKey(v, s.entity)
	}
	s.fields = append(s.fields, f)
	return errs.Wrap(f.Name, err)
}
