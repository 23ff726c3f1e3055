package api

import "github.com/trestledb/trestle/ddbtest/internal/value"

// QueryInput is the request of Query.
type QueryInput struct {
	TableName              string  `api:"required,table"`
	IndexName              *string `api:"name"`
	KeyConditionExpression *string
	FilterExpression       *string
	ProjectionExpression   *string
	Expressions
	ConsistentRead         bool
	ScanIndexForward       *bool
	Select                 string `api:"enum=SPECIFIC_ATTRIBUTES|COUNT|ALL_ATTRIBUTES|ALL_PROJECTED_ATTRIBUTES"`
	Limit                  *int64 `api:"min=1,terse"`
	ExclusiveStartKey      value.Map
	ReturnConsumedCapacity string   `api:"enum=INDEXES|TOTAL|NONE"`
	AttributesToGet        []string `api:"min=1"`
	KeyConditions          map[string]Condition
	QueryFilter            map[string]Condition
	ConditionalOperator    string `api:"enum=OR|AND"`
}

// ScanInput is the request of Scan.
type ScanInput struct {
	TableName            string  `api:"required,table"`
	IndexName            *string `api:"name"`
	FilterExpression     *string
	ProjectionExpression *string
	Expressions
	ConsistentRead         bool
	Select                 string `api:"enum=SPECIFIC_ATTRIBUTES|COUNT|ALL_ATTRIBUTES|ALL_PROJECTED_ATTRIBUTES"`
	Limit                  *int64 `api:"min=1"`
	Segment                *int64 `api:"min=0,max=999999"`
	TotalSegments          *int64 `api:"min=1,max=1000000"`
	ExclusiveStartKey      value.Map
	ReturnConsumedCapacity string   `api:"enum=INDEXES|TOTAL|NONE"`
	AttributesToGet        []string `api:"min=1"`
	ScanFilter             map[string]Condition
	ConditionalOperator    string `api:"enum=OR|AND"`
}

// PageOutput is the reply to Query and Scan.
type PageOutput struct {
	ConsumedCapacity *ConsumedCapacity
	Count            int
	Items            []value.Map // nil if Select is COUNT
	LastEvaluatedKey value.Map
	ScannedCount     int
}
