package expr

import (
	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
)

func (k *compiler) compare(c *Cond, b *core.BoundPath) (piece, error) {
	o, err := bindStored(c.Other, k.plan)
	if err != nil {
		return piece{}, err
	}
	if err := meets(c, b, o); err != nil {
		return piece{}, err
	}
	return piece{k.b.Path(b) + " " + c.Op.String() + " " + k.b.Path(o), 0}, nil
}

// meets returns an error for a comparison that can never hold, or whose order differs from the
// order of the stored values.
func meets(c *Cond, b, o *core.BoundPath) error {
	name, other := c.Path.String(), c.Other.String()
	left, right := wireOf(b.Leaf), wireOf(o.Leaf)
	if c.Op.ordered() {
		for _, err := range []error{
			suits(c.Op, c.Path, left), suits(c.Op, c.Other, right), sorts(c.Op, c.Path, b.Leaf), sorts(c.Op, c.Other, o.Leaf),
		} {
			if err != nil {
				return err
			}
		}
		left, right = left&scalars, right&scalars
	}
	switch {
	case samePlace(b, o):
		return refuse(name, "is compared with itself", "")
	case left&right&^codec.WireNULL == 0:
		return refuse(name, "is stored as "+left.String()+" and "+other+" as "+right.String()+": they are never equal", "")
	case c.Op.ordered() && left&right == codec.WireS && (storesTime(b.Leaf) || storesTime(o.Leaf)):
		return refuse(name, "times that are stored as text do not sort by it", "store both with the tag option unixtime")
	case formatted(b) != formatted(o) || formatted(b) && b.Key.Template.Fields()[0].Format != o.Key.Template.Fields()[0].Format:
		return refuse(name, "is written in another format than "+other, "")
	case c.Op.ordered() && formatted(b):
		return refuse(name, "is written in a format of its own, whose order two attributes cannot be compared by", "")
	default:
		return nil
	}
}
