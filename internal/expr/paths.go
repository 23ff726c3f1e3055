package expr

import (
	"github.com/trestledb/trestle/internal/clause"
	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
)

// compilePaths compiles a comparison of two paths.
func compilePaths(c *Cond, b *core.BoundPath, p *core.Plan) (clause.Pred, error) {
	o, err := bindStored(c.Other, p)
	if err != nil {
		return nil, err
	}
	if err := checkPaths(c, b, o); err != nil {
		return nil, err
	}
	return ofPaths(c.Op, b, o), nil
}

// checkPaths returns an error for a comparison that can never hold, or whose order differs from the
// order of the stored values.
func checkPaths(c *Cond, b, o *core.BoundPath) error {
	left, right := storedTypes(b.Leaf), storedTypes(o.Leaf)
	if c.Op.ordered() {
		for _, err := range []error{
			checkType(ordered, c.Path, left), checkType(ordered, c.Other, right), checkOrder(c.Op, c.Path, b.Leaf), checkOrder(c.Op, c.Other, o.Leaf),
		} {
			if err != nil {
				return err
			}
		}
		left, right = left&scalars, right&scalars
	}
	var reason, hint string
	switch {
	case samePath(b, o):
		reason = "is compared with itself"
	case left&right&^codec.WireNULL == 0:
		reason = "is stored as " + left.String() + " and " + c.Other.String() + " as " + right.String() + ": these are never equal"
	case c.Op.ordered() && left&right == codec.WireS && (storesTime(b.Leaf) || storesTime(o.Leaf)):
		reason, hint = "times that are stored as text do not sort chronologically", "store both with the tag option unixtime"
	case formatted(b) != formatted(o) || formatted(b) && b.Key.Template.Format(0) != o.Key.Template.Format(0):
		reason = "has another key format than " + c.Other.String()
	case c.Op.ordered() && formatted(b):
		reason = "has a key format, and attributes with one cannot be compared by order"
	default:
		return nil
	}
	return invalid(c.Path.String(), reason, hint)
}
