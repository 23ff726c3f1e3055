package define

import (
	"fmt"
	"time"

	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/tag"
)

const (
	lifetimeTag  = "lifetime"
	lifetimeHint = `such as lifetime:"720h"`
	// maxLifetime is 100 years.
	maxLifetime = 100 * 365 * 24 * time.Hour
)

// readLifetime reads the lifetime from a tag.
func (c *compiler) readLifetime(e *entry, pairs tag.Pairs) {
	text, given := pairs.Lookup(lifetimeTag)
	if !given {
		return
	}
	d, err := time.ParseDuration(text)
	if err != nil {
		c.add(place{e.field, lifetimeTag, text, e.pos}.issue("the lifetime is not a duration", lifetimeHint))
		return
	}
	e.lifetime, e.lives = d, true
}

// setLifetime sets the lifetime of the type's items.
func (c *compiler) setLifetime() {
	e := c.decl.table
	if e == nil || !e.lives {
		return
	}
	at := e.at(lifetimeTag)
	at.text = e.lifetime.String()
	switch d := e.lifetime; {
	case d <= 0:
		c.add(at.issue("the lifetime must be above 0", lifetimeHint))
	case d%time.Second != 0:
		c.add(at.issue("the lifetime must be whole seconds, as the time to live is stored", lifetimeHint))
	case d > maxLifetime:
		c.add(at.issue(fmt.Sprintf("the lifetime must be at most %s, which is 100 years", maxLifetime), lifetimeHint))
	case c.plan.TTL == nil && !c.declaresTTL():
		c.add(at.issue("the type has no field with the role "+core.RoleTTL, "add a field ExpiresAt time.Time with entity:\""+core.RoleTTL+"\", or drop "+lifetimeTag))
	default:
		c.plan.Lifetime = d
	}
}

// declaresTTL reports whether a field has the role, which it may not be able to have.
func (c *compiler) declaresTTL() bool {
	for _, r := range c.declaredRoles {
		if r.text == core.RoleTTL {
			return true
		}
	}
	return false
}
