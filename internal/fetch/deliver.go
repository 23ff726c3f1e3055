package fetch

import (
	"errors"
	"slices"

	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/exec"
	"github.com/trestledb/trestle/internal/read"
	"github.com/trestledb/trestle/internal/reserved"
	"github.com/trestledb/trestle/keys"
)

var errNoKey = errors.New("an item lacks a key attribute")

// delivery passes the items of a plan to a sink and counts them.
type delivery struct {
	plan *read.Plan
	sink core.Sink
	call *exec.Call
	keys core.KeyComparison

	expiry  core.Expiry // at the arrival of the last page; zero: no item can expire
	expired bool        // expired items were dropped
}

// arrived notes a page. A filter has dropped some of its items if it has fewer than were read.
func (d *delivery) arrived(page *exec.Response) {
	if d.plan.HidesExpired || d.plan.ChecksTTL {
		d.expiry = core.ExpiryAt(d.call.Config.Now())
	}
	if d.plan.HidesExpired {
		d.expired = d.expired || page.Count < page.Scanned
	}
}

// deliver passes one item to the sink, as the wanted type or as the item's own type. It reports
// whether the sink took it.
func (d *delivery) deliver(row core.Row) (taken bool, err error) {
	if isInternal(d.plan.Schema, row) {
		d.call.Skipped++
		if s, ok := d.sink.(core.InternalSink); ok {
			s.Internal(row)
		}
		return false, nil
	}
	as := d.typeOf(row)
	if !d.wants(row, as) {
		d.call.Unknown++
		return false, nil
	}
	if d.plan.HidesExpired && d.expiry.Expired(as, row) {
		d.expired = true
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

// typeOf returns the type as which an item is delivered.
func (d *delivery) typeOf(row core.Row) *core.Plan {
	if d.plan.AllTypes {
		return d.plan.Schema.PlanOf(row)
	}
	return d.plan.Entity
}

// needsItem reports whether a row is an entry whose item is read. The items of the library are not,
// nor those whose type attribute in the entry is that of an unwanted type.
func (d *delivery) needsItem(row core.Row) bool {
	s := d.plan.Schema
	if d.plan.Fetch == nil || isInternal(s, row) {
		return false
	}
	return !row.Has(s.TypeAttr) || d.wants(row, d.typeOf(row))
}

// deliverItem passes the item of an entry to the sink, unless it is gone or the filter drops it.
func (d *delivery) deliverItem(entry, item core.Row) (taken bool, err error) {
	switch f := d.plan.Fetch; {
	case !d.needsItem(entry):
		return d.deliver(entry)
	case item.Empty() || !f.IsCurrent(entry, item):
		d.call.Gone++
		return false, nil
	case !f.Keeps(item):
		return false, nil
	default:
		return d.deliver(item)
	}
}

// undecodable converts an error of decoding to a ValidationError. Errors of the sink are ones.
func undecodable(err error) error {
	if v := (*errs.ValidationError)(nil); errors.As(err, &v) {
		return err
	}
	return errs.Undecodable(err)
}

// wants reports whether the read wants the item as a value of a type.
func (d *delivery) wants(row core.Row, as *core.Plan) bool {
	if d.plan.AllTypes {
		return len(d.plan.Only) == 0 || slices.Contains(d.plan.Only, as)
	}
	return d.plan.Schema.PlanOf(row) == as
}

// isInternal reports whether an item is one of the library's own.
func isInternal(s *core.Schema, row core.Row) bool {
	if s.Partition.Type == keys.N {
		return false
	}
	if len(s.Tenants) == 0 {
		return row.HasPrefix(s.Partition, reserved.Prefix)
	}
	text, ok := row.KeyText(s.Partition)
	return ok && reserved.Is(s.CutTenant(text))
}
