package page

import (
	"fmt"

	"github.com/trestledb/trestle/ddbtest/internal/api"
	"github.com/trestledb/trestle/ddbtest/internal/awserr"
	"github.com/trestledb/trestle/ddbtest/internal/engine"
	"github.com/trestledb/trestle/ddbtest/internal/store"
)

// Scan implements Scan. Partitions are in the order of their hash, which has no meaning.
func Scan(c *engine.Call, in *api.ScanInput) (*api.PageOutput, error) {
	outside := ""
	if in.TotalSegments != nil && in.Segment != nil {
		outside = fmt.Sprintf("The provided starting key is invalid: Invalid ExclusiveStartKey. Please use ExclusiveStartKey with correct Segment. "+
			"TotalSegments: %d Segment: %d", *in.TotalSegments, *in.Segment)
	}
	return request{
		table: in.TableName, index: in.IndexName, consistent: in.ConsistentRead,
		sel: in.Select, projection: in.ProjectionExpression, filter: in.FilterExpression,
		names: in.ExpressionAttributeNames, values: in.ExpressionAttributeValues,
		attributesToGet: in.AttributesToGet, conditionalOperator: in.ConditionalOperator,
		legacyFilter: legacyFilter{"ScanFilter", in.ScanFilter},
		limit:        in.Limit, startKey: in.ExclusiveStartKey, capacity: in.ReturnConsumedCapacity,
		checkSegments: func() error { return checkSegments(in) },
		absent:        "FilterExpression is null",
		outside:       outside,
	}.page(c, func(r *pageReader) error {
		var part keyRange // everything, if there are no segments
		if in.TotalSegments != nil {
			part.lo, part.hi = store.SegmentRange(*in.Segment, *in.TotalSegments)
		}
		r.spans = []span{{bounds: part}}
		return nil
	})
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
