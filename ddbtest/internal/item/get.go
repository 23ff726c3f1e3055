package item

import (
	"time"

	"github.com/trestledb/trestle/ddbtest/internal/api"
	"github.com/trestledb/trestle/ddbtest/internal/check"
	"github.com/trestledb/trestle/ddbtest/internal/engine"
	"github.com/trestledb/trestle/ddbtest/internal/expression"
	"github.com/trestledb/trestle/ddbtest/internal/legacy"
	"github.com/trestledb/trestle/ddbtest/internal/store"
	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// Get implements GetItem.
func Get(c *engine.Call, in *api.GetItemInput) (*api.GetItemOutput, error) {
	projection, err := ParseProjection(in.ProjectionExpression, in.ExpressionAttributeNames, in.AttributesToGet)
	if err != nil {
		return nil, err
	}
	out := &api.GetItemOutput{}
	err = c.DB.View(func(s *store.State) error {
		now := c.ReadTime(s)
		t, err := c.Find(s, in.TableName, now)
		if err != nil {
			return err
		}
		out.Item, err = Read(c, s, t, now, in.Key, in.ConsistentRead, projection)
		out.ConsumedCapacity = c.Meter.Consumed(t.Name, in.ReturnConsumedCapacity, false)
		return err
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// ParseProjection parses the projection of a read, which is an expression or AttributesToGet. Nil
// returns all attributes.
func ParseProjection(text *string, names map[string]string, attributes []string) (*expression.Projection, error) {
	if text == nil && names == nil && attributes == nil {
		return nil, nil //nolint:nilnil // no projection
	}
	err := legacy.CheckTogether([]legacy.Parameter{{Name: "AttributesToGet", Given: attributes != nil}},
		[]legacy.Parameter{{Name: "ProjectionExpression", Given: text != nil}})
	if err != nil {
		return nil, err
	}
	p, err := Placeholders(names, nil, text != nil, "ProjectionExpression is null")
	if err != nil {
		return nil, err
	}
	if text == nil {
		return legacy.Projection(attributes)
	}
	projection, err := expression.ParseProjection(*text, p)
	if err != nil {
		return nil, err
	}
	return projection, p.Unused()
}

// CheckProjection rejects a projection with paths into key attributes. The projection may be nil.
func CheckProjection(t *store.Table, projection *expression.Projection) error {
	if projection == nil {
		return nil
	}
	return check.KeyPaths(t, projection.Paths())
}

// Read reads one item, and charges its units.
func Read(c *engine.Call, s *store.State, t *store.Table, now time.Time, key value.Map, consistent bool, projection *expression.Projection) (value.Map, error) {
	if err := CheckProjection(t, projection); err != nil {
		return nil, err
	}
	if err := check.Key(t.Key, key); err != nil {
		return nil, err
	}
	place, partition := t.Key.Places(key)
	item, _ := s.Items(t, now, consistent).Get(place)
	ChargeRead(c, t, partition, item, consistent, false)
	if item != nil && projection != nil {
		item = projection.Apply(item)
	}
	c.Trace.Evaluated++
	if item != nil {
		c.Trace.Returned++
	}
	return item, nil
}
