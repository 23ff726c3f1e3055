package write

import (
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
)

// checkTTL reports a time to live in milliseconds: DynamoDB would never delete the item.
func checkTTL(p *core.Plan, av core.AV, wrong *errs.Problems) {
	if p.TTL != nil && core.InMilliseconds(av) {
		wrong.Add(p.TTL.Name, "the time to live is after the year 5138", "use seconds since 1970, not milliseconds")
	}
}
