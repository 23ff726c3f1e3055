package write

import (
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/keys"
)

// Stamps are the role fields that a write sets. The caller's struct gets them after the write is
// applied.
type Stamps struct {
	plan   *core.Plan
	fields []*codec.Field
	from   codec.Ptr
}

// Apply copies the stamps into the caller's struct.
func (s Stamps) Apply(to codec.Ptr) error {
	for _, f := range s.fields {
		v, err := f.Key(s.from)
		if err != nil {
			return err
		}
		if err := f.SetKey(v, to); err != nil {
			return err
		}
	}
	return nil
}

// stampPut sets the version and the times in the copy of the entity to store. The version is old +
// 1.
func stampPut(p *core.Plan, entity codec.Ptr, old int64, now time.Time) (Stamps, error) {
	s := Stamps{plan: p, from: entity}
	if p.Version != nil {
		v, err := next(p.Version, old)
		if err != nil {
			return s, err
		}
		if err := p.Version.SetKey(v, entity); err != nil {
			return s, versionLimit(p.Version, err)
		}
		s.fields = append(s.fields, p.Version)
	}
	if p.Created != nil && p.Created.IsZero(entity) {
		if err := s.moment(p.Created, now); err != nil {
			return s, err
		}
	}
	if p.Updated != nil {
		if err := s.moment(p.Updated, now); err != nil {
			return s, err
		}
	}
	return s, nil
}

// moment sets a time field in the precision of its stored form, such as seconds.
func (s *Stamps) moment(f *codec.Field, t time.Time) error {
	v, err := s.plan.RoundTrip(f, keys.Time(t))
	if err == nil {
		err = f.SetKey(v, s.from)
	}
	if err != nil {
		return errs.Wrap(f.Name, err)
	}
	s.fields = append(s.fields, f)
	return nil
}

// now returns the time of the call in the precision of a field, and its attribute value.
func (w *working) now(f *codec.Field) (keys.Value, types.AttributeValue, error) {
	v, err := w.Plan.RoundTrip(f, keys.Time(w.Now))
	if err != nil {
		return v, nil, errs.Wrap(f.Name, err)
	}
	at := w.Plan.NewEntity()
	if err := f.SetKey(v, at); err != nil {
		return v, nil, errs.Wrap(f.Name, err)
	}
	av, err := attribute(f, at)
	return v, av, err
}
