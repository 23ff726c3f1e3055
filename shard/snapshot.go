package shard

import (
	"context"
	"errors"
	"slices"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/op"
)

// maxTogether is the maximum number of shards that one transaction reads or writes together with
// the total item.
const maxTogether = trestle.MaxTransactionActions - 1

// Snapshot returns the value of a counter at one moment; 0 if there is none. It reads the total
// item and all shards in one transaction. An increment at the same time is a conflict, after which
// the transaction is retried.
//
// It costs two read units for the total item and two for each shard. Errors: [trestle.ErrLimit] for
// more than 99 shards or writers; [trestle.ErrInvalid] with Regions, with MultiRegionStrong and in
// mode Events.
func (c *Counters) Snapshot(ctx context.Context, name string) (int64, error) {
	if err := c.ready(opSnapshot, name); err != nil {
		return 0, err
	}
	if c.config.Mode == Events {
		return 0, c.failed(opSnapshot, errs.New("", "a transaction cannot read all events", "use Total"))
	}
	if err := c.needsTransactions(opSnapshot); err != nil {
		return 0, err
	}
	return c.snapshot(ctx, opSnapshot, &reading{of: c.own(name)})
}

// needsTransactions reports why an operation is not possible on a global table.
func (c *Counters) needsTransactions(operation string) error {
	if reason, hint := c.config.noTransactions(); reason != "" {
		return c.failed(operation, errs.New("", reason, hint))
	}
	return nil
}

// snapshot reads a counter at one moment.
func (c *Counters) snapshot(ctx context.Context, operation string, r *reading) (int64, error) {
	parts := c.known(r.of)
	for range maxTries {
		if len(parts) > maxTogether {
			return 0, c.failed(operation, tooManyParts())
		}
		if err := c.readTogether(ctx, operation, r, parts); err != nil {
			return 0, err
		}
		parts = c.parts(&r.state)
		if slices.ContainsFunc(parts, func(p part) bool { return r.parts[p] == nil }) {
			continue
		}
		n, ok, err := c.sum(r)
		if err == nil && !ok {
			err = unreadable(attrMoves, "the total item has other moves than the items whose values were moved")
		}
		return n, c.failed(operation, err)
	}
	return 0, c.failed(operation, errResized)
}

// readTogether reads the total item and parts in one transaction.
func (c *Counters) readTogether(ctx context.Context, operation string, r *reading, parts []part) error {
	r.total, r.parts = nil, nil
	total, err := c.totalTarget(r)
	targets, wrong := c.partTargets(r, parts)
	if err = errors.Join(err, wrong); err != nil {
		return c.failed(operation, err)
	}
	targets = append(targets, total)
	keys := make([]op.Item, len(targets))
	for i, t := range targets {
		keys[i] = t.key
	}
	items, err := c.getTogether(ctx, operation, keys)
	if err != nil {
		return err
	}
	for i, t := range targets {
		*t.into = items[i]
	}
	r.state, err = c.decode(operation, r.total)
	return err
}

func tooManyParts() error {
	var wrong errs.Problems
	wrong.AddLimit("", "a transaction reads at most 100 items, and the counter has more than 99 shards or writers", "use Total")
	return wrong.Err()
}
