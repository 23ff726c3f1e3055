package read

import "github.com/trestledb/trestle/internal/core"

// Expires reports whether a type that the read returns has a time to live.
func (q *Query) Expires() bool {
	if q.Collection {
		return q.Schema.Expires(nil)
	}
	return q.Schema.Expires(q.Plan)
}

// hides reports whether the read drops expired items.
func (q *Query) hides() bool { return !q.Expiry.IsZero() && q.Expires() }

// filtersExpired reports whether the filter drops expired items. A filter must not use an attribute
// of the key that is read by. In a read of all types, the attribute can have another meaning in
// other types.
func (c *compiler) filtersExpired() bool {
	return c.hides && c.query.Plan != nil && !c.query.Collection && !c.isKeyAttribute(c.schema.TTL) && c.holdsTTL()
}

// holdsTTL reports whether the items or the index entries that are read hold the time to live.
func (c *compiler) holdsTTL() bool { return c.target.holdsTTL(c.schema) }

func (t target) holdsTTL(s *core.Schema) bool {
	return t.index == nil || t.index.Projects(s, s.TTL)
}

// unexpired returns the condition that an item has not expired. It is true for an item without a
// time to live, and if the attribute has another type than N.
func (c *compiler) unexpired() string {
	first, last := c.query.Expiry.Bounds()
	name, from, to := c.b.Name(c.schema.TTL), c.b.Value(first), c.b.Value(last)
	c.moving = []string{from, to}
	return "NOT " + name + between + from + " AND " + to
}

// hide completes a plan that drops expired items.
func (c *compiler) hide(p *Plan) {
	p.HidesExpired, p.Moving = c.hides, c.moving
	p.ChecksTTL = !c.query.Count && !c.query.KeysOnly && c.query.Expires()
	if p.HidesExpired && !c.holdsTTL() && !c.target.fetch {
		c.problems.Add(c.schema.TTL, "index "+c.target.index.Name+" does not project it, so expired items cannot be dropped",
			c.target.lackHint(&c.query, "add it to the projection, or return expired items too, with entity.ShowExpired"))
	}
}
