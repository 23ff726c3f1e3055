package shard

import (
	"context"

	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/exec"
	"github.com/trestledb/trestle/internal/op"
)

// do sends actions: one as a request of its own, several as a transaction.
func (c *Counters) do(ctx context.Context, operation string, actions []op.Action) (op.Reply, error) {
	return c.execute(ctx, op.Operation{Name: operation, Actions: actions})
}

// execute is do with a token, which makes one action a transaction too.
func (c *Counters) execute(ctx context.Context, o op.Operation) (reply op.Reply, err error) {
	for i := range o.Actions {
		o.Actions[i].Plan = c.plan
	}
	o.Plan, o.Token = c.plan, c.exec.Tenant.Token(o.Token)
	err = exec.Do(ctx, c.exec, &o, func(r op.Reply) error {
		items := make([]op.Item, r.Rows.Len())
		for i := range items {
			items[i] = r.Rows.At(i).Item()
		}
		reply, reply.Rows = r, core.NewRows(items)
		return nil
	})
	return reply, err
}

// get reads an item. It returns nil if there is none.
func (c *Counters) get(ctx context.Context, operation string, key op.Item, strong bool) (op.Item, error) {
	reply, err := c.do(ctx, operation, []op.Action{{Verb: op.Get, Key: key, Strong: strong, Idempotent: true}})
	if err != nil || reply.Rows.Len() == 0 {
		return nil, err
	}
	return reply.Rows.First().Item(), nil
}

// getTogether reads targets as they were at one moment.
func (c *Counters) getTogether(ctx context.Context, operation string, targets []target) error {
	actions := make([]op.Action, len(targets))
	for i, t := range targets {
		actions[i] = op.Action{Verb: op.Get, Key: t.key, Strong: true, Idempotent: true}
	}
	reply, err := c.do(ctx, operation, actions)
	for i := range min(len(targets), reply.Rows.Len()) {
		if row := reply.Rows.At(i); !row.Empty() {
			*targets[i].into = row.Item()
		}
	}
	return err
}
