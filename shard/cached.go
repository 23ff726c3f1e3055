package shard

import (
	"context"
	"errors"
	"time"

	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/op"
)

// RolledUp is the value of a counter at a time, as it was stored by a roll-up.
type RolledUp struct {
	Value int64
	AsOf  time.Time // by the clock of the program that stored it
}

// Cached returns the value of the last roll-up. With Regions, it is that of the last roll-up in the
// Region of this program.
//
// It costs half a read unit: the read is eventually consistent. The error is [trestle.ErrNotFound]
// if there was no roll-up.
func (c *Counters) Cached(ctx context.Context, name string) (RolledUp, error) {
	if err := c.ready(opCached, name); err != nil {
		return RolledUp{}, err
	}
	key, err := c.layout.totalKey(c.own(name))
	if err != nil {
		return RolledUp{}, c.failed(opCached, err)
	}
	item, err := c.get(ctx, opCached, key, false)
	if err != nil {
		return RolledUp{}, err
	}
	r, err := c.layout.rolledUp(item)
	return r, c.failed(opCached, err)
}

var errNoRollUp = refusal(errs.NotFound, "the counter has no roll-up", "call RollUp at intervals, or use Total")

func isNoRollUp(err error) bool { return errors.Is(err, errs.NotFound) }

// rolledUp decodes the roll-up of a total item.
func (l *layout) rolledUp(item op.Item) (r RolledUp, err error) {
	if item[l.total] == nil {
		return RolledUp{}, errNoRollUp
	}
	if r.Value, err = required(item, l.total); err != nil {
		return RolledUp{}, err
	}
	if l.updated != "" {
		r.AsOf, err = updatedIn(item, l.updated)
	} else {
		r.AsOf, err = timeIn(item, attrAsOf)
	}
	return r, err
}
