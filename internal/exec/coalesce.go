package exec

import (
	"context"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/op"
)

// Coalescer reads one item for several calls at the same time with one request.
type Coalescer interface {
	Get(ctx context.Context, c *Call, act *op.Action) (core.Rows, *trestle.OpError)
}

// coalesced reports whether an action is a read that may share its request with other calls.
func (c *Config) coalesced(act *op.Action) bool {
	return c.Coalescer != nil && act.Verb == op.Get && !act.Strong
}
