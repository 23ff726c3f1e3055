package fetch

import (
	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
)

// inspect counts a decoded item that is under another key than the one that its fields render to,
// and one whose time to live DynamoDB ignores.
func (d *delivery) inspect(p *core.Plan, row core.Row, at codec.Ptr) {
	if d.plan.ComparesKeys && d.keys.Misplaced(p, row, at) {
		d.call.Misplaced++
	}
	if d.plan.ChecksTTL {
		d.call.CountIgnoredTTL(p, row, d.expiry)
	}
}
