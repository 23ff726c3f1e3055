package page

import (
	"slices"
	"strings"

	"github.com/trestledb/trestle/ddbtest/internal/awserr"
	"github.com/trestledb/trestle/ddbtest/internal/check"
	"github.com/trestledb/trestle/ddbtest/internal/expression"
	"github.com/trestledb/trestle/ddbtest/internal/store"
)

// Values of Select.
const (
	allAttributes = "ALL_ATTRIBUTES"
	allProjected  = "ALL_PROJECTED_ATTRIBUTES"
	specific      = "SPECIFIC_ATTRIBUTES"
	countOnly     = "COUNT"
)

// selection decides which items and attributes a page returns.
type selection struct {
	mode       string
	projection *expression.Projection
	filter     *expression.Condition
	filterName string // in error messages
}

// checkProjected rejects attributes that a global index does not project.
func (s selection) checkProjected(src source) error {
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

// missing returns the names that the index does not project, sorted.
func (s source) missing(names []string) []string {
	return slices.DeleteFunc(slices.Sorted(slices.Values(names)), s.index.Projects)
}

// fetches reports whether the item of each entry of a local index must be read too. The requested
// attributes can require that, and a filter cannot.
func (s selection) fetches(src source) bool {
	if src.index == nil || !src.index.Local || src.index.Projection.Type == "ALL" {
		return false
	}
	if s.mode == allAttributes {
		return true
	}
	return s.projection != nil && len(src.missing(s.projection.TopLevelNames())) > 0
}

// checkKeyPaths rejects paths into key attributes of the table and of the indexes.
func (s selection) checkKeyPaths(t *store.Table) error {
	if s.filter != nil {
		if err := check.KeyPaths(t, s.filter.Paths()); err != nil {
			return err
		}
	}
	if s.projection != nil {
		return check.KeyPaths(t, s.projection.Paths())
	}
	return nil
}
