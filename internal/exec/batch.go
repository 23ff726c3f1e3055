package exec

import (
	"context"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/op"
)

// BatchWrite sends one request of a batch write, for actions of one table. It can be applied twice,
// so it is retried.
func (c *Config) BatchWrite(ctx context.Context, table string, actions []*op.Action) Response {
	defer wroteBatch()
	in := op.BatchWriteInput(table, actions)
	_, r := send(ctx, c, trestle.Client.BatchWriteItem, in, always, c.itemWriter(in, actions))
	r.writes = true
	return r
}

// Lost reports whether an attempt of the request may have been applied without a reply, even if the
// response is that of a later attempt.
func (r *Response) Lost() bool { return r.attempts.lost }

// Add adds the requests of another operation to the statistics of the operation.
func (c *Call) Add(e *trestle.Event) {
	c.Requests += e.Requests
	c.Attempts += e.Attempts
	c.Throttled = merge(c.Throttled, e.Throttled...)
	c.Capacity.Add(e.Capacity)
}
