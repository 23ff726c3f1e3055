package page

import (
	"strings"

	"github.com/trestledb/trestle/ddbtest/internal/api"
	"github.com/trestledb/trestle/ddbtest/internal/awserr"
	"github.com/trestledb/trestle/ddbtest/internal/check"
	"github.com/trestledb/trestle/ddbtest/internal/engine"
	"github.com/trestledb/trestle/ddbtest/internal/expression"
	"github.com/trestledb/trestle/ddbtest/internal/store"
)

// Query is the operation.
func Query(c *engine.Call, in *api.QueryInput) (*api.PageOutput, error) {
	var condition *expression.KeyCondition
	selection, err := request{
		index: in.IndexName, sel: in.Select, projection: in.ProjectionExpression, filter: in.FilterExpression,
		names: in.ExpressionAttributeNames, values: in.ExpressionAttributeValues,
		legacy: in.Legacy, keyCondition: check.Expression{Member: "KeyConditionExpression", Text: in.KeyConditionExpression},
		parseKeyCondition: func(p *expression.Placeholders) (err error) {
			condition, err = expression.ParseKeyCondition(*in.KeyConditionExpression, p)
			return err
		},
	}.parse()
	if err != nil {
		return nil, err
	}
	var out *api.PageOutput
	err = c.DB.View(func(s *store.State) error {
		r, err := query(c, s, in, condition)
		if err != nil {
			return err
		}
		r.selection = selection
		if err := checkFilter(selection.filter, r.source); err != nil {
			return err
		}
		out, err = r.run(in.ReturnConsumedCapacity)
		return err
	})
	return out, err
}

// query turns the key condition and the start key into a range of places.
func query(c *engine.Call, s *store.State, in *api.QueryInput, condition *expression.KeyCondition) (*reading, error) {
	src, err := open(c, s, in.TableName, in.IndexName, in.ConsistentRead)
	if err != nil {
		return nil, err
	}
	partition, within, err := bounds(src.key, condition)
	if err != nil {
		return nil, err
	}
	r := &reading{
		call: c, source: src, span: within, forward: in.ScanIndexForward == nil || *in.ScanIndexForward, startKey: in.ExclusiveStartKey,
		consistent: in.ConsistentRead, partition: partition, condition: condition,
	}
	if in.Limit != nil {
		r.limit = int(*in.Limit)
	}
	if in.ExclusiveStartKey != nil {
		place, err := src.start(in.ExclusiveStartKey)
		if err != nil {
			return nil, err
		}
		if !within.contains(place) {
			return nil, awserr.Validation("The provided starting key is outside query boundaries based on provided condition")
		}
		r.span = within.after(place, r.forward)
	}
	return r, nil
}

// checkFilter refuses a filter on the key of what is queried, for that is what the key condition is for, and one on what an index does not hold.
func checkFilter(filter *expression.Condition, src source) error {
	if filter == nil {
		return nil
	}
	names := filter.TopLevelNames()
	for _, name := range names {
		if src.key.Has(name) {
			return awserr.Validation("Filter Expression can only contain non-primary key attributes: Primary key attribute: %s", name)
		}
	}
	if src.index == nil {
		return nil
	}
	if missing := src.missing(names); len(missing) > 0 {
		return awserr.Validation("One or more parameter values were invalid: Secondary index %s does not project one or more filter attributes: [%s]",
			src.index.Name, strings.Join(missing, ", "))
	}
	return nil
}
