package write

import (
	"strconv"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/expr"
	"github.com/trestledb/trestle/keys"
)

// The two functions below list the roles whose fields writes set: in the entity to put, and in an
// update. Each step does nothing if the type has no field with the role.

func (s *Stamps) setRoles() error {
	return inOrder(s.setVersion, s.setUpdated, s.setCreated, s.setExpiry)
}

func (p *updatePlanner) setRoles() error {
	return inOrder(p.setType, p.setVersion, p.setUpdated, p.setCreated, p.setExpiry, p.setCounts)
}

// inOrder runs steps until one fails.
func inOrder(steps ...func() error) error {
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// setType sets the type of an item that an upsert may create.
func (p *updatePlanner) setType() error {
	if attribute := p.Plan.Schema.TypeAttr; p.mayCreate() && attribute != "" {
		p.expr.ChangeAttribute(expr.Set, attribute, &types.AttributeValueMemberS{Value: p.Plan.Name})
	}
	return nil
}

// setVersion increments the version. If the call checks the stored version, it sets the next
// number. Otherwise, it uses ADD, which is not idempotent.
func (p *updatePlanner) setVersion() error {
	f := p.Plan.Version
	switch {
	case f == nil:
		return nil
	case p.version == 0:
		p.idempotent = false
		p.expr.ChangeAttribute(expr.Add, f.Name, &types.AttributeValueMemberN{Value: "1"})
		return nil
	}
	p.expr.ChangeAttribute(expr.Set, f.Name, &types.AttributeValueMemberN{Value: strconv.FormatInt(p.version+1, 10)})
	return setNextVersion(f, p.version, p.Plan.NewEntity()) // checks that the number fits
}

func (p *updatePlanner) setUpdated() error {
	f := p.Plan.Updated
	if f == nil {
		return nil
	}
	v, av, err := p.currentTime(f)
	if err != nil {
		return err
	}
	return p.store(f, v, av)
}

// setCreated sets the creation time if an upsert finds none. It uses the example's time if the
// example is the item as it was read. It skips a field in the table's key, which already exists,
// and a field that the caller changes.
func (p *updatePlanner) setCreated() error {
	f := p.Plan.Created
	if f == nil || !p.mayCreate() || p.changesField(f) || p.Plan.TableMember(f) {
		return nil
	}
	v, ok, err := p.fromExample(f)
	switch {
	case err != nil:
		return err
	case ok && p.AsRead && !v.IsAbsent():
		return p.assumeExample(f, v)
	}
	v, av, err := p.currentTime(f)
	if err != nil {
		return err
	}
	return p.setIfAbsent(f, v, av)
}

// setCounts sets the counts of an item that an upsert creates to 0.
func (p *updatePlanner) setCounts() error {
	if p.mayCreate() && !p.Recounts {
		for _, f := range p.Plan.Counters {
			p.expr.ChangeAttribute(expr.SetIfAbsent, f.Name, numberOf(0))
		}
	}
	return nil
}

// currentTime returns the time of the call in the precision of a field, and its attribute value.
func (p *updatePlanner) currentTime(f *codec.Field) (keys.Value, types.AttributeValue, error) {
	v, err := p.Plan.RoundTrip(f, keys.Time(p.Now))
	if err != nil {
		return v, nil, errs.Wrap(f.Name, err)
	}
	av, err := encodeValue(p.Plan, f, v)
	return v, av, err
}
