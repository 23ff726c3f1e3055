package page

import (
	"github.com/trestledb/trestle/ddbtest/internal/api"
	"github.com/trestledb/trestle/ddbtest/internal/awserr"
	"github.com/trestledb/trestle/ddbtest/internal/engine"
	"github.com/trestledb/trestle/ddbtest/internal/store"
)

// Scan is the operation. Partitions come in the order of their hash, so no two of them in an order that means anything.
func Scan(c *engine.Call, in *api.ScanInput) (*api.PageOutput, error) {
	if err := checkSegments(in); err != nil {
		return nil, err
	}
	selection, err := request{
		index: in.IndexName, sel: in.Select, projection: in.ProjectionExpression, filter: in.FilterExpression,
		names: in.ExpressionAttributeNames, values: in.ExpressionAttributeValues, absent: "FilterExpression is null", legacy: in.Legacy,
	}.parse()
	if err != nil {
		return nil, err
	}
	var out *api.PageOutput
	err = c.DB.View(func(s *store.State) error {
		r, err := scan(c, s, in)
		if err != nil {
			return err
		}
		r.selection = selection
		out, err = r.run(in.ReturnConsumedCapacity)
		return err
	})
	return out, err
}

func scan(c *engine.Call, s *store.State, in *api.ScanInput) (*reading, error) {
	src, err := open(c, s, in.TableName, in.IndexName, in.ConsistentRead)
	if err != nil {
		return nil, err
	}
	var all span
	if in.TotalSegments != nil {
		all.lo, all.hi = store.Segment(*in.Segment, *in.TotalSegments)
	}
	r := &reading{call: c, source: src, span: all, forward: true, startKey: in.ExclusiveStartKey, consistent: in.ConsistentRead}
	if in.Limit != nil {
		r.limit = int(*in.Limit)
	}
	if in.ExclusiveStartKey != nil {
		place, err := src.start(in.ExclusiveStartKey)
		if err != nil {
			return nil, err
		}
		if !all.contains(place) {
			return nil, awserr.Validation("The provided starting key is outside segment boundaries")
		}
		r.span = all.after(place, true)
	}
	return r, nil
}

func checkSegments(in *api.ScanInput) error {
	switch {
	case in.Segment != nil && in.TotalSegments == nil:
		return awserr.Validation("The TotalSegments parameter is required but was not present in the request when Segment parameter is present")
	case in.Segment == nil && in.TotalSegments != nil:
		return awserr.Validation("The Segment parameter is required but was not present in the request when parameter TotalSegments is present")
	case in.Segment != nil && *in.Segment >= *in.TotalSegments:
		return awserr.Validation("The Segment parameter is zero-based and must be less than parameter TotalSegments: Segment: %d is not less than TotalSegments: %d",
			*in.Segment, *in.TotalSegments)
	}
	return nil
}
