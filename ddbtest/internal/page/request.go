package page

import (
	"slices"

	"github.com/trestledb/trestle/ddbtest/internal/api"
	"github.com/trestledb/trestle/ddbtest/internal/awserr"
	"github.com/trestledb/trestle/ddbtest/internal/engine"
	"github.com/trestledb/trestle/ddbtest/internal/expression"
	"github.com/trestledb/trestle/ddbtest/internal/item"
	"github.com/trestledb/trestle/ddbtest/internal/legacy"
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
	limit      *int64
	startKey   value.Map
	capacity   string

	attributesToGet     []string
	legacyFilter        legacyFilter
	conditionalOperator string

	// for a query
	keyCondition      *string
	keyConditions     map[string]api.Condition
	parseKeyCondition func(*expression.Placeholders) error

	checkSegments func() error // for a scan

	// for error messages
	absent  string // the missing expressions
	outside string // the error of a start key outside the range
	// statement is set for a SELECT of PartiQL, whose errors of an index have other texts.
	statement bool
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
	src, err := q.openSource(c, s)
	if err != nil {
		return nil, err
	}
	r := &pageReader{call: c, source: src, selection: selection, startKey: q.startKey, forward: true, consistent: q.consistent}
	if q.limit != nil {
		r.limit = int(*q.limit)
	}
	return r, selection.checkKeyPaths(src.table)
}

// legacyFilter is a QueryFilter or a ScanFilter.
type legacyFilter struct {
	name       string
	conditions map[string]api.Condition
}

func (q request) isQuery() bool { return q.parseKeyCondition != nil }

// parse parses the expressions and the legacy parameters, in the service's order.
func (q request) parse() (selection, error) {
	s := selection{mode: q.sel}
	if err := q.checkTogether(); err != nil {
		return s, err
	}
	if err := q.addLegacy(&s); err != nil {
		return s, err
	}
	if q.isQuery() && q.keyCondition == nil && q.keyConditions == nil {
		return s, awserr.Validation("Either the KeyConditions or KeyConditionExpression parameter must be specified in the request.")
	}
	if q.checkSegments != nil {
		if err := q.checkSegments(); err != nil {
			return s, err
		}
	}
	if err := q.checkSelect(); err != nil {
		return s, err
	}
	err := q.addExpressions(&s)
	return s, err
}

// checkTogether rejects legacy parameters together with expressions, and placeholders without an
// expression.
func (q request) checkTogether() error {
	err := legacy.CheckTogether([]legacy.Parameter{
		{Name: "AttributesToGet", Given: q.attributesToGet != nil}, {Name: q.legacyFilter.name, Given: q.legacyFilter.conditions != nil},
		{Name: "ConditionalOperator", Given: q.conditionalOperator != ""}, {Name: legacy.KeyConditions, Given: q.keyConditions != nil},
	}, []legacy.Parameter{
		{Name: "ProjectionExpression", Given: q.projection != nil}, {Name: "FilterExpression", Given: q.filter != nil},
		{Name: "KeyConditionExpression", Given: q.keyCondition != nil},
	})
	if err != nil || q.projection != nil || q.filter != nil || q.keyCondition != nil {
		return err
	}
	return item.RejectPlaceholders(q.names, q.values, q.absent)
}

// addLegacy converts the legacy parameters. The service checks the filter of a query first, and
// that of a scan last.
func (q request) addLegacy(s *selection) error {
	steps := []func(*selection) error{q.addAttributesToGet, q.addLegacyFilter}
	if q.isQuery() {
		slices.Reverse(steps)
	}
	for _, step := range steps {
		if err := step(s); err != nil {
			return err
		}
	}
	return nil
}

func (q request) addAttributesToGet(s *selection) (err error) {
	s.projection, err = legacy.Projection(q.attributesToGet)
	return err
}

func (q request) addLegacyFilter(s *selection) (err error) {
	s.filterName = q.legacyFilter.name
	s.filter, err = legacy.Filter(q.legacyFilter.conditions, q.conditionalOperator)
	return err
}

// addExpressions parses the expressions, and KeyConditions after them.
func (q request) addExpressions(s *selection) error {
	p, err := expression.NewPlaceholders(q.names, q.values)
	if err != nil {
		return err
	}
	if q.keyCondition != nil {
		if err := q.parseKeyCondition(p); err != nil {
			return err
		}
	}
	if q.filter != nil {
		s.filterName = "Filter Expression"
		if s.filter, err = expression.ParseCondition("FilterExpression", *q.filter, p); err != nil {
			return err
		}
	}
	if q.projection != nil {
		if s.projection, err = expression.ParseProjection(*q.projection, p); err != nil {
			return err
		}
	}
	if err := p.Unused(); err != nil || q.keyConditions == nil {
		return err
	}
	return q.parseKeyCondition(p)
}

func (q request) checkSelect() error {
	projection := ""
	switch {
	case q.projection != nil:
		projection = "ProjectionExpression"
	case q.attributesToGet != nil:
		projection = "AttributesToGet"
	}
	switch {
	case q.sel == specific && projection == "":
		return awserr.Validation("One or more parameter values were invalid: Must specify the AttributesToGet or ProjectionExpression when choosing to get SPECIFIC_ATTRIBUTES")
	case q.sel == allProjected && q.index == nil:
		return awserr.Validation("One or more parameter values were invalid: ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName")
	case q.sel != "" && q.sel != specific && projection != "":
		return awserr.Validation("Cannot specify the %s when choosing to get %s", projection, q.sel)
	}
	return nil
}
