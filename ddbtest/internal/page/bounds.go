package page

import (
	"errors"

	"github.com/trestledb/trestle/ddbtest/internal/api"
	"github.com/trestledb/trestle/ddbtest/internal/expression"
	"github.com/trestledb/trestle/ddbtest/internal/store"
)

// Bounds returns the range of places in which a query reads: from lo, before hi. The schema is that
// of the table or of the index that the query reads.
func Bounds(schema store.KeySchema, in *api.QueryInput) (lo, hi string, err error) {
	if in.KeyConditionExpression == nil && in.KeyConditions == nil {
		return "", "", errors.New("the query has no key condition")
	}
	p, err := expression.NewPlaceholders(in.ExpressionAttributeNames, in.ExpressionAttributeValues)
	if err != nil {
		return "", "", err
	}
	condition, err := parseKeyCondition(in, p)
	if err != nil {
		return "", "", err
	}
	_, bounds, err := keyBounds(schema, condition)
	return bounds.lo, bounds.hi, err
}
