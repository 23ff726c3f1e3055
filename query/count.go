package query

import (
	"context"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
)

// count returns the number of items that the request would yield. The handle of a tenant checks the
// keys of index entries, because another program can write entries of another tenant. In the table,
// the partition key of the request is the tenant's.
func (r request) count(ctx context.Context) (int, error) {
	r.query.Count, r.query.Fields = true, nil
	r.query.Checked = r.config != nil && r.config.Tenant != nil
	p, err := r.plan()
	if err != nil {
		return 0, err
	}
	p.Name = "count"
	ctx, run := r.start(ctx, p, countSink{}, nil)
	defer run.Close(ctx)
	for run.Next(ctx) {
	}
	err = r.finish(ctx, run)
	if run.Err() != nil {
		return 0, err
	}
	return run.Event().Items, err
}

// countSink accepts items without decoding them.
type countSink struct{}

func (countSink) Target(*core.Plan) (codec.Ptr, bool)          { return codec.Ptr{}, false }
func (countSink) Commit(*core.Plan) error                      { return nil }
func (countSink) Unmatched(*core.Plan, core.Row) (bool, error) { return true, nil }
