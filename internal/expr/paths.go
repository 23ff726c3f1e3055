package expr

import (
	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
)

// compilePaths compiles a comparison of two paths.
func (k *compiler) compilePaths(c *Cond, b *core.BoundPath) (fragment, error) {
	o, err := bindStored(c.Other, k.plan)
	if err != nil {
		return fragment{}, err
	}
	if err := checkPaths(c, b, o); err != nil {
		return fragment{}, err
	}
	return fragment{expand(operators[c.Op].text, k.b.Path(b), k.b.Path(o)), 0}, nil
}

// checkPaths returns an error for a comparison that can never hold, or whose order differs from the
// order of the stored values.
func checkPaths(c *Cond, b, o *core.BoundPath) error {
	name, other := c.Path.String(), c.Other.String()
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
	switch {
	case samePath(b, o):
		return invalid(name, "is compared with itself", "")
	case left&right&^codec.WireNULL == 0:
		return invalid(name, "is stored as "+left.String()+" and "+other+" as "+right.String()+": these are never equal", "")
	case c.Op.ordered() && left&right == codec.WireS && (storesTime(b.Leaf) || storesTime(o.Leaf)):
		return invalid(name, "times that are stored as text do not sort chronologically", "store both with the tag option unixtime")
	case formatted(b) != formatted(o) || formatted(b) && b.Key.Template.Fields()[0].Format != o.Key.Template.Fields()[0].Format:
		return invalid(name, "has another key format than "+other, "")
	case c.Op.ordered() && formatted(b):
		return invalid(name, "has a key format, and attributes with one cannot be compared by order", "")
	default:
		return nil
	}
}
