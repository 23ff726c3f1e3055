package exec

import (
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/op"
)

// CountIgnoredTTL counts an item that a read returns if DynamoDB ignores its time to live. now is
// the Expiry of the time of the read, also if the read returns expired items.
func (c *Call) CountIgnoredTTL(p *core.Plan, row core.Row, now core.Expiry) {
	if now.IgnoresIn(p, row) {
		c.IgnoredTTL++
	}
}

// countIgnoredTTLs counts the items that gets return.
func (c *Call) countIgnoredTTLs(gets []op.Action, rows core.Rows) {
	for i := range min(len(gets), rows.Len()) {
		p, row := gets[i].Plan, rows.At(i)
		if p != nil && p.TTL != nil && p.Owns(row) {
			c.CountIgnoredTTL(p, row, core.ExpiryAt(c.Config.Now()))
		}
	}
}
