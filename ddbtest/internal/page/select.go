package page

import (
	"slices"
	"strings"

	"github.com/trestledb/trestle/ddbtest/internal/awserr"
	"github.com/trestledb/trestle/ddbtest/internal/check"
	"github.com/trestledb/trestle/ddbtest/internal/expression"
	"github.com/trestledb/trestle/ddbtest/internal/item"
	"github.com/trestledb/trestle/ddbtest/internal/store"
	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// The values of Select.
const (
	allAttributes = "ALL_ATTRIBUTES"
	allProjected  = "ALL_PROJECTED_ATTRIBUTES"
	specific      = "SPECIFIC_ATTRIBUTES"
	countOnly     = "COUNT"
)

// selection is what of each item a page returns.
type selection struct {
	mode       string
	projection *expression.Projection
	filter     *expression.Condition
}

// request is what Query and Scan have in common.
type request struct {
	index             *string
	sel               string
	projection        *string
	filter            *string
	names             map[string]string
	values            map[string]value.Value
	legacy            []string
	keyCondition      check.Expression // of a query
	absent            string           // which expressions there are not, in the words of a refusal
	parseKeyCondition func(*expression.Placeholders) error
}

// parse understands a request's expressions, in the service's order.
func (r request) parse() (selection, error) {
	s := selection{mode: r.sel}
	err := check.Legacy(r.legacy, r.keyCondition, check.Expression{Member: "FilterExpression", Text: r.filter},
		check.Expression{Member: "ProjectionExpression", Text: r.projection})
	if err != nil {
		return s, err
	}
	if r.keyCondition.Member != "" && r.keyCondition.Text == nil {
		return s, awserr.Validation("Either the KeyConditions or KeyConditionExpression parameter must be specified in the request.")
	}
	if err := r.checkSelect(); err != nil {
		return s, err
	}
	used := r.projection != nil || r.filter != nil || r.keyCondition.Text != nil
	p, err := item.Placeholders(r.names, r.values, used, r.absent)
	if err != nil {
		return s, err
	}
	if r.parseKeyCondition != nil {
		if err := r.parseKeyCondition(p); err != nil {
			return s, err
		}
	}
	if r.filter != nil {
		if s.filter, err = expression.ParseCondition("FilterExpression", *r.filter, p); err != nil {
			return s, err
		}
	}
	if r.projection != nil {
		if s.projection, err = expression.ParseProjection(*r.projection, p); err != nil {
			return s, err
		}
	}
	return s, p.Unused()
}

func (r request) checkSelect() error {
	switch {
	case r.sel == specific && r.projection == nil:
		return awserr.Validation("One or more parameter values were invalid: Must specify the AttributesToGet or ProjectionExpression when choosing to get SPECIFIC_ATTRIBUTES")
	case r.sel == allProjected && r.index == nil:
		return awserr.Validation("One or more parameter values were invalid: ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName")
	case r.sel != "" && r.sel != specific && r.projection != nil:
		return awserr.Validation("Cannot specify the ProjectionExpression when choosing to get %s", r.sel)
	}
	return nil
}

// fits refuses what a global index cannot give: it holds only what it projects.
func (s selection) fits(src source) error {
	if src.index == nil || src.index.Local {
		return nil
	}
	if s.mode == allAttributes && src.index.Projection.Type != "ALL" {
		return awserr.Validation("One or more parameter values were invalid: Select type ALL_ATTRIBUTES is not supported for global secondary index %s "+
			"because its projection type is not ALL", src.index.Name)
	}
	if s.projection == nil {
		return nil
	}
	missing := src.missing(s.projection.TopLevelNames())
	if len(missing) > 0 {
		return awserr.Validation("One or more parameter values were invalid: Global secondary index %s does not project [%s]",
			src.index.Name, strings.Join(missing, ", "))
	}
	return nil
}

// missing are the names that the index does not hold, in their order.
func (s source) missing(names []string) []string {
	return slices.DeleteFunc(slices.Sorted(slices.Values(names)), s.index.Projects)
}

// fetches tells whether each entry of a local index needs its item read as well. Only a scan's filter can ask for that.
func (s selection) fetches(src source) bool {
	if src.index == nil || !src.index.Local || src.index.Projection.Type == "ALL" {
		return false
	}
	if s.mode == allAttributes {
		return true
	}
	return s.projection != nil && len(src.missing(s.projection.TopLevelNames())) > 0 ||
		s.filter != nil && len(src.missing(s.filter.TopLevelNames())) > 0
}

// scalarKeys refuses paths into the table's key.
func (s selection) scalarKeys(t *store.Table) error {
	if s.filter != nil {
		if err := check.KeyPaths(t.Key, s.filter.Paths()); err != nil {
			return err
		}
	}
	if s.projection != nil {
		return check.KeyPaths(t.Key, s.projection.Paths())
	}
	return nil
}
