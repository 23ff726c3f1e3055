package shard

import (
	"context"

	"github.com/trestledb/trestle/internal/errs"
)

var errOtherResize = refusal(errs.Stale, "another program resizes the counter at the same time", "decide again, and repeat the call")

// Resize changes the number of shards of a counter, from 1 to 1000, and creates the counter if
// there is none. Increments and readers continue meanwhile. Other programs use the new number after
// their Refresh of the [Config] at the latest; until then, their increments are as exact as ever.
//
// To grow, no value is moved: it costs a read and a write of the total item. To shrink, the values
// of the upper shards are moved to the total item and these shards are closed, as in
// [Counters.Drain]; the closed shards stay, as small items. If Resize fails or the program crashes,
// the counter is correct, and another call continues.
//
// Errors: [trestle.ErrStale] if another program resizes the counter to another number at the same
// time. [trestle.ErrInvalid] in the modes Events and WriterOwned, and, to shrink, with Regions and
// MultiRegionStrong.
func (c *Counters) Resize(ctx context.Context, name string, shards int) error {
	if err := c.ready(opResize, name); err != nil {
		return err
	}
	var wrong errs.Problems
	wrong.AddAt("shards", checkShards(shards, c.layout.most))
	if !c.config.Mode.sharded() {
		wrong.Add("", "the number of shards cannot change in mode "+c.config.Mode.String(), "use other counters")
	}
	if err := wrong.Err(); err != nil {
		return c.failed(opResize, err)
	}
	r := &resizing{Counters: c, of: c.own(name), to: shards}
	return r.run(ctx)
}

// resizing is a running Resize.
type resizing struct {
	*Counters
	of counter
	to int
}

// run takes one step after the other until the counter has the number of shards. If another program
// changes the total item, it reads the item again. It sets the number once: otherwise two programs
// that resize to different numbers would go on forever.
func (r *resizing) run(ctx context.Context) error {
	set := false // a step of this call has set the number
	for try := 1; ; {
		s, err := r.load(ctx, opResize, r.of, true)
		if err != nil {
			return err
		}
		switch {
		case s.shards == r.to && s.max == r.to:
			return nil
		case set && s.shards != r.to:
			return r.failed(opResize, errOtherResize)
		case s.shards < r.to:
			err = r.grow(ctx, opResize, r.of, &s, r.to, false)
		default:
			err = r.shrink(ctx, &s)
		}
		if err == nil {
			set = true
			continue
		}
		if try == maxTries || !contended(err) {
			return err
		}
		if err := r.pause(ctx, opResize, try); err != nil {
			return err
		}
		try++
	}
}
