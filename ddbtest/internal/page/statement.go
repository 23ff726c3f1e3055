package page

import (
	"github.com/trestledb/trestle/ddbtest/internal/api"
	"github.com/trestledb/trestle/ddbtest/internal/engine"
	"github.com/trestledb/trestle/ddbtest/internal/expression"
	"github.com/trestledb/trestle/ddbtest/internal/store"
	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// Statement is a read whose expressions are parsed already: a SELECT of PartiQL.
type Statement struct {
	TableName  string
	Index      *string
	Consistent bool
	Limit      *int64
	StartKey   value.Map
	Capacity   string // ReturnConsumedCapacity
}

// Plan is how a statement reads its table or index.
type Plan struct {
	Scan       bool
	Partitions []*expression.KeyCondition // unless it is a scan: one for each partition, in order
	Backward   bool
	MaxItems   int                    // that a page returns; 0 is no limit
	Filter     *expression.Condition  // may be nil
	AnyFilter  bool                   // it may name attributes that the index does not project
	Projection *expression.Projection // nil returns all attributes
}

// Select reads a page of a statement. The plan depends on the table, and on the key of what it
// reads. Outside is the error of a start key that belongs to another read. Unlike the filter of a
// Query, that of a statement may name key attributes.
func Select(c *engine.Call, st Statement, outside string, plan func(*store.Table, store.KeySchema) (Plan, error)) (out *api.PageOutput, err error) {
	q := request{
		table: st.TableName, index: st.Index, consistent: st.Consistent, limit: st.Limit, startKey: st.StartKey, capacity: st.Capacity, outside: outside,
		statement: true,
	}
	err = c.DB.View(func(s *store.State) error {
		r, err := q.newReader(c, s, selection{})
		if err != nil {
			return err
		}
		p, err := plan(r.source.table, r.source.key)
		if err != nil {
			return err
		}
		r.selection = selection{filter: p.Filter, projection: p.Projection}
		if err := r.selection.checkKeyPaths(r.source.table); err != nil {
			return err
		}
		out, err = q.read(r, func() error { return r.setPlan(p) })
		return err
	})
	return out, err
}

// setPlan sets what the reader reads.
func (r *pageReader) setPlan(p Plan) (err error) {
	r.forward, r.maxItems = !p.Backward, p.MaxItems
	if p.Scan {
		r.spans = []span{{}}
		return nil
	}
	if len(p.Partitions) > 0 {
		r.condition = p.Partitions[0]
	}
	if r.spans, err = spansOf(r.source.key, p.Partitions...); err != nil {
		return err
	}
	if p.Filter != nil && !p.AnyFilter {
		if err := checkFilterProjected(p.Filter.TopLevelNames(), r.source); err != nil {
			return err
		}
	}
	return r.checkSingle()
}
