package shard

import (
	"context"
	"errors"
	"slices"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/libitem"
)

// maxTogether is the maximum number of shards that one transaction reads or writes together with
// the total item.
const maxTogether = trestle.MaxTransactionActions - 1

// Snapshot returns the value of a counter at one moment; 0 if there is none. It reads the total
// item and all shards in one transaction. An increment at the same time is a conflict, after which
// the transaction is retried.
//
// It costs two read units for the total item and two for each shard. Errors: [trestle.ErrLimit] for
// more than 100 shards or writers; [trestle.ErrInvalid] with Regions, with MultiRegionStrong and in
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
		if len(parts) > maxTogether+1 {
			return 0, c.failed(operation, tooManyParts())
		}
		read := c.readTogether
		if len(parts) > maxTogether {
			read = c.readBetween
		}
		if err := read(ctx, operation, r, parts); err != nil {
			return 0, err
		}
		parts = c.parts(&r.state)
		if slices.ContainsFunc(parts, func(p part) bool { return r.parts[p] == nil }) {
			continue
		}
		n, ok, err := c.sum(r)
		if err != nil || ok {
			return n, c.failed(operation, err)
		}
		if len(parts) <= maxTogether {
			return 0, c.failed(operation, libitem.Unreadable(attrMoves, "the total item has other moves than the items whose values were moved"))
		}
	}
	return 0, c.failed(operation, errResized)
}

// readBetween reads 100 parts in one transaction, between two reads of the total item. If these
// differ, the state is that of a counter whose parts were not read.
func (c *Counters) readBetween(ctx context.Context, operation string, r *reading, parts []part) error {
	before, err := c.readState(ctx, operation, r.of, true)
	if err != nil {
		return err
	}
	r.total, r.parts = nil, nil
	targets, err := c.partTargets(r, parts)
	if err != nil {
		return c.failed(operation, err)
	}
	if err := c.getTogether(ctx, operation, targets); err != nil {
		return err
	}
	r.state, err = c.readState(ctx, operation, r.of, true)
	if err == nil && r.state.epoch != before.epoch {
		r.parts = nil
	}
	return err
}

// readTogether reads the total item and parts in one transaction.
func (c *Counters) readTogether(ctx context.Context, operation string, r *reading, parts []part) error {
	r.total, r.parts = nil, nil
	total, err := c.totalTarget(r)
	targets, wrong := c.partTargets(r, parts)
	if err = errors.Join(err, wrong); err != nil {
		return c.failed(operation, err)
	}
	if err := c.getTogether(ctx, operation, append(targets, total)); err != nil {
		return err
	}
	r.state, err = c.decode(operation, r.total)
	return err
}

func tooManyParts() error {
	var wrong errs.Problems
	wrong.AddLimit("", "a transaction reads at most 100 items, and the counter has more than 100 shards or writers", "use Total")
	return wrong.Err()
}
