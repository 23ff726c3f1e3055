package fetch

import (
	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
)

// compare counts an item that is under another key than the one that its fields render to.
func (d *delivery) compare(p *core.Plan, row core.Row, at codec.Ptr) {
	if d.plan.ComparesKeys && d.keys.Misplaced(p, row, at) {
		d.call.Misplaced++
	}
}
