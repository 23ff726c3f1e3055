package shard

import (
	"context"
	"errors"
	"time"

	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/libitem"
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
	if r.Value, err = libitem.Required(item, l.total); err != nil {
		return RolledUp{}, err
	}
	r.AsOf, err = l.rolledUpAt(item)
	return r, err
}

// rolledUpAt returns the time of the roll-up of a total item. The attribute Updated has whole
// seconds, and another program may have changed it alone.
func (l *layout) rolledUpAt(item op.Item) (time.Time, error) {
	exact, err := timeIn(item, attrAsOf)
	if l.updated == "" {
		return exact, err
	}
	second, wrong := updatedIn(item, l.updated)
	if err == nil && wrong == nil && exact.Truncate(time.Second).Equal(second) {
		return exact, nil
	}
	return second, wrong
}
