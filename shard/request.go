package shard

import (
	"context"

	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/exec"
	"github.com/trestledb/trestle/internal/op"
)

// do sends actions: one as a request of its own, several as a transaction. A token makes one action
// a transaction too.
func (c *Counters) do(ctx context.Context, operation string, actions []op.Action, token string) (reply op.Reply, err error) {
	for i := range actions {
		actions[i].Plan = c.plan
	}
	err = exec.Do(ctx, c.exec, &op.Operation{Name: operation, Plan: c.plan, Actions: actions, Token: token}, func(r op.Reply) error {
		reply = r
		return nil
	})
	return reply, err
}

// get reads an item. It returns nil if there is none.
func (c *Counters) get(ctx context.Context, operation string, key op.Item, strong bool) (op.Item, error) {
	reply, err := c.do(ctx, operation, []op.Action{{Verb: op.Get, Key: key, Strong: strong, Idempotent: true}}, "")
	if err != nil || reply.Rows.Len() == 0 {
		return nil, err
	}
	return reply.Rows.First().Item(), nil
}

// getTogether reads items as they were at one moment. It returns them in order, nil for no item.
func (c *Counters) getTogether(ctx context.Context, operation string, keys []op.Item) ([]op.Item, error) {
	actions := make([]op.Action, len(keys))
	for i, key := range keys {
		actions[i] = op.Action{Verb: op.Get, Key: key, Strong: true, Idempotent: true}
	}
	reply, err := c.do(ctx, operation, actions, "")
	if err != nil {
		return nil, err
	}
	items := make([]op.Item, len(keys))
	for i := range min(len(keys), reply.Rows.Len()) {
		if row := reply.Rows.At(i); !row.Empty() {
			items[i] = row.Item()
		}
	}
	return items, nil
}

// identity returns a text for a key, the same for all spellings of it.
func (c *Counters) identity(key op.Item) string { return c.schema.Identity(core.NewRow(key)) }
