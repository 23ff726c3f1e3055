package page

import (
	"github.com/trestledb/trestle/ddbtest/internal/api"
	"github.com/trestledb/trestle/ddbtest/internal/awserr"
	"github.com/trestledb/trestle/ddbtest/internal/check"
	"github.com/trestledb/trestle/ddbtest/internal/engine"
	"github.com/trestledb/trestle/ddbtest/internal/expression"
	"github.com/trestledb/trestle/ddbtest/internal/item"
	"github.com/trestledb/trestle/ddbtest/internal/store"
	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// request is the common part of Query and Scan.
type request struct {
	table      string
	index      *string
	consistent bool
	sel        string
	projection *string
	filter     *string
	names      map[string]string
	values     map[string]value.Value
	legacy     []string
	limit      *int64
	startKey   value.Map
	capacity   string

	keyCondition      check.Expression // for a query
	parseKeyCondition func(*expression.Placeholders) error

	// for error messages
	absent  string // the missing expressions
	outside string // the error of a start key outside the range
}

// page reads the requested page. setRange sets the range of the reader.
func (q request) page(c *engine.Call, setRange func(*pageReader) error) (*api.PageOutput, error) {
	selection, err := q.parse()
	if err != nil {
		return nil, err
	}
	var out *api.PageOutput
	err = c.DB.View(func(s *store.State) error {
		r, err := q.newReader(c, s, selection)
		if err != nil {
			return err
		}
		out, err = q.read(r, func() error { return setRange(r) })
		return err
	})
	return out, err
}

// read reads a page. setRange sets the range of the reader.
func (q request) read(r *pageReader, setRange func() error) (*api.PageOutput, error) {
	if err := setRange(); err != nil {
		return nil, err
	}
	if err := r.resume(q.outside); err != nil {
		return nil, err
	}
	if err := r.selection.checkProjected(r.source); err != nil {
		return nil, err
	}
	return r.run(q.capacity), nil
}

// newReader returns a reader of the source of the request.
func (q request) newReader(c *engine.Call, s *store.State, selection selection) (*pageReader, error) {
	src, err := openSource(c, s, q.table, q.index, q.consistent)
	if err != nil {
		return nil, err
	}
	r := &pageReader{call: c, source: src, selection: selection, startKey: q.startKey, forward: true, consistent: q.consistent}
	if q.limit != nil {
		r.limit = int(*q.limit)
	}
	return r, selection.checkKeyPaths(src.table)
}

// parse parses the expressions, in the service's order.
func (q request) parse() (selection, error) {
	s := selection{mode: q.sel}
	err := check.Legacy(q.legacy, q.keyCondition, check.Expression{Member: "FilterExpression", Text: q.filter},
		check.Expression{Member: "ProjectionExpression", Text: q.projection})
	if err != nil {
		return s, err
	}
	if q.keyCondition.Member != "" && q.keyCondition.Text == nil {
		return s, awserr.Validation("Either the KeyConditions or KeyConditionExpression parameter must be specified in the request.")
	}
	if err := q.checkSelect(); err != nil {
		return s, err
	}
	used := q.projection != nil || q.filter != nil || q.keyCondition.Text != nil
	p, err := item.Placeholders(q.names, q.values, used, q.absent)
	if err != nil {
		return s, err
	}
	if q.parseKeyCondition != nil {
		if err := q.parseKeyCondition(p); err != nil {
			return s, err
		}
	}
	if q.filter != nil {
		if s.filter, err = expression.ParseCondition("FilterExpression", *q.filter, p); err != nil {
			return s, err
		}
	}
	if q.projection != nil {
		if s.projection, err = expression.ParseProjection(*q.projection, p); err != nil {
			return s, err
		}
	}
	return s, p.Unused()
}

func (q request) checkSelect() error {
	switch {
	case q.sel == specific && q.projection == nil:
		return awserr.Validation("One or more parameter values were invalid: Must specify the AttributesToGet or ProjectionExpression when choosing to get SPECIFIC_ATTRIBUTES")
	case q.sel == allProjected && q.index == nil:
		return awserr.Validation("One or more parameter values were invalid: ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName")
	case q.sel != "" && q.sel != specific && q.projection != nil:
		return awserr.Validation("Cannot specify the ProjectionExpression when choosing to get %s", q.sel)
	}
	return nil
}
