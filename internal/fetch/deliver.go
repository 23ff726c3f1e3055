package fetch

import (
	"errors"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/exec"
	"github.com/trestledb/trestle/internal/read"
)

var errNoKey = errors.New("an item lacks a key attribute")

// delivery passes the items of a plan to a sink and counts them.
type delivery struct {
	plan *read.Plan
	sink core.Sink
	call exec.Call
	keys core.KeyComparison

	wanted  core.Wanted
	now     core.Expiry // at the arrival of the last page; zero: no item can expire
	dropped bool        // expired items were dropped
}

// newDelivery returns the delivery of a plan's items.
func newDelivery(p *read.Plan, s core.Sink, c exec.Call) delivery {
	d := delivery{plan: p, sink: s, call: c, wanted: core.Wanted{Schema: p.Schema, Only: p.Only}}
	if !p.AllTypes {
		d.wanted.Type = p.Entity
	}
	return d
}

// setExpiry notes the arrival of items.
func (d *delivery) setExpiry() {
	if d.plan.HidesExpired || d.plan.ChecksTTL {
		d.now = core.ExpiryAt(d.call.Config.Now())
	}
	if d.plan.HidesExpired {
		d.wanted.Expiry = d.now
	}
}

// deliver passes one item to the sink, as the wanted type or as the item's own type, if the read
// returns it. It reports whether the sink took it.
func (d *delivery) deliver(row core.Row) (taken bool, err error) {
	as, sight := d.wanted.Visible(row)
	switch sight {
	case core.Visible:
	case core.Expired:
		d.dropped = true
		return false, nil
	case core.Internal:
		d.call.Skipped++
		if s, ok := d.sink.(core.InternalSink); ok {
			s.Internal(row)
		}
		return false, nil
	default:
		d.call.Unknown++
		return false, nil
	}
	taken, err = core.Deliver(as, row, d.sink, d.inspect)
	switch {
	case err != nil:
		return false, undecodable(err)
	case taken:
		d.call.Items++
	default:
		d.call.Unknown++
	}
	return taken, nil
}

// inspect counts a decoded item that is under another key than the one that its fields render to,
// and one whose time to live DynamoDB ignores.
func (d *delivery) inspect(p *core.Plan, row core.Row, at codec.Ptr) {
	if d.plan.ComparesKeys && d.keys.Misplaced(p, row, at) {
		d.call.Misplaced++
	}
	if d.plan.ChecksTTL {
		d.call.CountIgnoredTTL(p, row, d.now)
	}
}

// needsItem reports whether a row is an entry whose item is read. The items of the library are not,
// nor those whose type attribute in the entry is that of an unwanted type.
func (d *delivery) needsItem(row core.Row) bool {
	wanted := d.wanted
	wanted.Expiry = core.Expiry{} // the item decides
	_, sight := wanted.Visible(row)
	return sight == core.Visible || sight == core.Other && !row.Has(d.plan.Schema.TypeAttr)
}

// deliverItem passes the item of an entry to the sink, unless it is gone or the filter drops it.
func (d *delivery) deliverItem(entry, item core.Row) (taken bool, err error) {
	switch f := d.plan.Fetch; {
	case item.Empty() || !f.IsCurrent(entry, item):
		d.call.Gone++
		return false, nil
	case !f.Keeps(item):
		return false, nil
	default:
		return d.deliver(item)
	}
}

// Take decodes an item that a batch read found by a key of its type, if the read returns it, and
// counts it.
func Take(c *exec.Call, wanted core.Wanted, row core.Row, decode func() error) error {
	switch _, sight := wanted.Visible(row); sight {
	case core.Visible:
	case core.Expired:
		return nil
	default:
		c.Unknown++
		return nil
	}
	if err := decode(); err != nil {
		return err
	}
	c.Items++
	c.CountIgnoredTTL(wanted.Type, row, core.ExpiryOf(wanted.Type, c.Config.Now))
	return nil
}

// undecodable converts an error of decoding to a ValidationError. Errors of the sink are ones.
func undecodable(err error) error {
	if v := (*errs.ValidationError)(nil); errors.As(err, &v) {
		return err
	}
	return errs.Undecodable(err)
}
