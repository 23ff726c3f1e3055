package query

import (
	"errors"
	"maps"

	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/cursor"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/fetch"
	"github.com/trestledb/trestle/internal/read"
)

// resume plans a read that returns cursors. It returns the plan and the positions of a cursor.
func (r *request) resume(token string) (*read.Plan, []cursor.Position, error) {
	p, err := r.plan()
	if r.err == nil && r.query.Schema != nil && r.cursors == nil {
		err = errors.Join(r.invalid(errNoCursors), err)
	}
	if err != nil || token == "" {
		return p, nil, err
	}
	from, err := r.codec(p).Open(r.binding(p), p.Position, token, r.config.Now())
	if err != nil || !fetch.Valid(p, r.order(p), from) {
		return nil, nil, r.failed(r.name(), errs.Cursor)
	}
	return p, from, nil
}

// codec returns the codec for cursors of a plan, which have as many positions as its read has at
// most.
func (r *request) codec(p *read.Plan) *cursor.Codec {
	switch {
	case p.Scans():
		return r.cursors.Wide(p.Segments)
	case p.Streams() > 1, r.order(p) == fetch.Merged:
		return r.cursors.Wide(1 + p.Shards) // the base, and one of each shard
	default:
		return r.cursors.Wide(1)
	}
}

// cursor returns the cursor for the positions of a run; "" at the end.
func (r *request) cursor(p *read.Plan, at []cursor.Position) (string, error) {
	if len(at) == 0 {
		return "", nil
	}
	if r.cursors == nil {
		return "", r.invalid(errNoCursors)
	}
	token, err := r.codec(p).Seal(r.binding(p), p.Position, at, r.config.Now(), r.config.Random)
	if err != nil {
		return "", r.invalid(err)
	}
	return token, nil
}

// binding returns the binding for cursors of this read. It covers everything that determines which
// items the read returns, and in which order.
func (r *request) binding(p *read.Plan) cursor.Binding {
	b := cursor.NewBinding()
	b.Text(p.Name)
	b.Text(r.config.Table)
	b.Flag(p.Entity != nil)
	if p.Entity != nil {
		b.Text(p.Entity.Name)
	}
	b.Flag(p.Index != nil)
	if p.Index != nil {
		b.Text(p.Index.Name)
	}
	b.Texts(p.Signature())
	b.Flag(p.AllTypes)
	b.Flag(r.stored)
	b.Flag(p.Desc)
	b.Flag(p.Strong)
	b.Text(p.Filter)
	b.Text(p.Projection)
	b.Number(p.Segments)
	partitions := p.Streams()
	if p.Scans() {
		partitions = 1 // the segments share one
	}
	for i := range partitions {
		part := p.Partition(i)
		b.Text(part.KeyCondition)
		b.Names(part.Names)
		b.Values(lasting(part.Values, p.Moving))
		b.Flag(part.Empty)
	}
	b.Texts(r.bound)
	if r.config.Tenant != nil {
		b.Text(r.config.Tenant.ID())
	}
	if f := p.Fetch; f != nil { // last, so that the cursors of other reads stay valid
		b.Flag(f.Strong)
		b.Text(f.Projection)
		b.Names(f.Names)
		b.Text(f.Filter)
		b.Names(f.FilterNames)
		b.Values(f.FilterValues)
	}
	if p.HidesExpired {
		b.Text("expired items are dropped")
	}
	return b
}

// lasting returns values without those that depend on the time of the read.
func lasting(values map[string]core.AV, moving []string) map[string]core.AV {
	if len(moving) == 0 {
		return values
	}
	values = maps.Clone(values)
	for _, mark := range moving {
		delete(values, mark)
	}
	return values
}
