package page

import (
	"strings"

	"github.com/trestledb/trestle/ddbtest/internal/api"
	"github.com/trestledb/trestle/ddbtest/internal/awserr"
	"github.com/trestledb/trestle/ddbtest/internal/engine"
	"github.com/trestledb/trestle/ddbtest/internal/expression"
	"github.com/trestledb/trestle/ddbtest/internal/legacy"
	"github.com/trestledb/trestle/ddbtest/internal/store"
)

// Query implements Query.
func Query(c *engine.Call, in *api.QueryInput) (*api.PageOutput, error) {
	var condition *expression.KeyCondition
	return request{
		table: in.TableName, index: in.IndexName, consistent: in.ConsistentRead,
		sel: in.Select, projection: in.ProjectionExpression, filter: in.FilterExpression, keyCondition: in.KeyConditionExpression,
		names: in.ExpressionAttributeNames, values: in.ExpressionAttributeValues,
		attributesToGet: in.AttributesToGet, conditionalOperator: in.ConditionalOperator,
		legacyFilter: legacyFilter{"QueryFilter", in.QueryFilter}, keyConditions: in.KeyConditions,
		limit: in.Limit, startKey: in.ExclusiveStartKey, capacity: in.ReturnConsumedCapacity,
		parseKeyCondition: func(p *expression.Placeholders) (err error) {
			condition, err = parseKeyCondition(in, p)
			return err
		},
		absent:  "FilterExpression and KeyConditionExpression are null",
		outside: "The provided starting key is outside query boundaries based on provided condition",
	}.page(c, func(r *pageReader) (err error) {
		r.condition = condition
		r.forward = in.ScanIndexForward == nil || *in.ScanIndexForward
		if r.spans, err = spansOf(r.source.key, condition); err != nil {
			return err
		}
		if err := r.checkSingle(); err != nil {
			return err
		}
		return r.selection.checkFilter(r.source)
	})
}

// spansOf returns the spans of queries, in their order.
func spansOf(schema store.KeySchema, conditions ...*expression.KeyCondition) ([]span, error) {
	spans := make([]span, len(conditions))
	for i, c := range conditions {
		partition, bounds, err := keyBounds(schema, c)
		if err != nil {
			return nil, err
		}
		spans[i] = span{partition, bounds}
	}
	return spans, nil
}

// parseKeyCondition parses the key condition, an expression or KeyConditions. One of them must be
// given.
func parseKeyCondition(in *api.QueryInput, p *expression.Placeholders) (*expression.KeyCondition, error) {
	if in.KeyConditionExpression == nil {
		return legacy.KeyCondition(in.KeyConditions)
	}
	return expression.ParseKeyCondition(*in.KeyConditionExpression, p)
}

// checkSingle sets single if there can be at most one item: in a table without a sort key. A start
// key is invalid then.
func (r *pageReader) checkSingle() error {
	r.single = r.source.index == nil && len(r.source.key.Sort) == 0 && len(r.spans) == 1
	if !r.single || r.startKey == nil {
		return nil
	}
	parts := make([]string, len(r.startKey))
	for i, a := range r.startKey {
		parts[i] = a.Name + "=" + expression.Describe(a.Value)
	}
	return awserr.Validation("The provided exclusive start key is invalid: ExclusiveStartKey: {%s}", strings.Join(parts, ", "))
}

// checkFilter rejects a filter on the key attributes of the source, which belong in the key
// condition, and on attributes that an index does not project.
func (s selection) checkFilter(src source) error {
	if s.filter == nil {
		return nil
	}
	names := s.filter.TopLevelNames()
	for _, name := range names {
		if src.key.Has(name) {
			return awserr.Validation("%s can only contain non-primary key attributes: Primary key attribute: %s", s.filterName, name)
		}
	}
	return checkFilterProjected(names, src)
}

// checkFilterProjected rejects a filter on attributes that the index does not project.
func checkFilterProjected(names []string, src source) error {
	if src.index == nil {
		return nil
	}
	if missing := src.missing(names); len(missing) > 0 {
		return awserr.Validation("One or more parameter values were invalid: Secondary index %s does not project one or more filter attributes: [%s]",
			src.index.Name, strings.Join(missing, ", "))
	}
	return nil
}
