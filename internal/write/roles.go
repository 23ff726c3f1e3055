package write

import (
	"strconv"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/expr"
	"github.com/trestledb/trestle/keys"
)

// setRoles sets the next version and the times. For an upsert, it also sets the type.
func (p *updatePlanner) setRoles() error {
	if p.Upsert && p.Plan.Schema.TypeAttr != "" {
		p.expr.ChangeAttribute(expr.Set, p.Plan.Schema.TypeAttr, &types.AttributeValueMemberS{Value: p.Plan.Name})
	}
	for _, set := range []func() error{p.setVersion, p.setUpdated, p.setCreated} {
		if err := set(); err != nil {
			return err
		}
	}
	return nil
}

// setVersion increments the version. If the call checks the stored version, it sets the next
// number. Otherwise, it uses ADD, which is not idempotent.
func (p *updatePlanner) setVersion() error {
	f := p.Plan.Version
	switch {
	case f == nil:
	case p.version == 0:
		p.idempotent = false
		p.expr.ChangeAttribute(expr.Add, f.Name, &types.AttributeValueMemberN{Value: "1"})
	default:
		if err := setNextVersion(f, p.version, p.Plan.NewEntity()); err != nil {
			return err
		}
		p.expr.ChangeAttribute(expr.Set, f.Name, &types.AttributeValueMemberN{Value: strconv.FormatInt(p.version+1, 10)})
	}
	return nil
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
	p.expr.ChangeAttribute(expr.Set, f.Name, av)
	return p.setField(f, v)
}

// setCreated sets the creation time if an upsert finds none. It uses the example's time if the
// example is the item as it was read. It skips a field in the table's key, which already exists,
// and a field that the caller changes.
func (p *updatePlanner) setCreated() error {
	f := p.Plan.Created
	if f == nil || !p.Upsert || p.changesField(f) || p.Plan.TableMember(f) {
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

// currentTime returns the time of the call in the precision of a field, and its attribute value.
func (p *updatePlanner) currentTime(f *codec.Field) (keys.Value, types.AttributeValue, error) {
	v, err := p.Plan.RoundTrip(f, keys.Time(p.Now))
	if err != nil {
		return v, nil, errs.Wrap(f.Name, err)
	}
	av, err := encodeValue(p.Plan, f, v)
	return v, av, err
}
