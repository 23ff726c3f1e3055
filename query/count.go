package query

import (
	"context"

	"github.com/trestledb/trestle/internal/cursor"
	"github.com/trestledb/trestle/internal/door"
	"github.com/trestledb/trestle/internal/errs"
)

// count returns the number of items that the request would yield.
func (r request) count(ctx context.Context) (int, error) {
	r.query.Count, r.query.Fields = true, nil
	p, err := r.plan()
	if err != nil {
		return 0, err
	}
	p.Name = "count"
	run := r.run(p, countSink{}, cursor.Position{})
	switch err := run.Each(ctx, func() bool { return true }); {
	case err != nil:
		return 0, door.Fail(err)
	case run.Short():
		return run.Call().Items, r.failed(p.Name, errs.Budget, nil)
	}
	return run.Call().Items, nil
}
