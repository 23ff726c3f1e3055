package api

import "github.com/trestledb/trestle/ddbtest/internal/value"

// Expressions are the members that every request with expressions has.
type Expressions struct {
	ExpressionAttributeNames  map[string]string
	ExpressionAttributeValues map[string]value.Value
}

// GetItemInput is a request.
type GetItemInput struct {
	TableName                string    `api:"required,table"`
	Key                      value.Map `api:"required"`
	ConsistentRead           bool
	ProjectionExpression     *string
	ExpressionAttributeNames map[string]string
	ReturnConsumedCapacity   string   `api:"enum=INDEXES|TOTAL|NONE"`
	Legacy                   []string `api:"unread=AttributesToGet"`
}

// GetItemOutput is its reply.
type GetItemOutput struct {
	ConsumedCapacity *ConsumedCapacity
	Item             value.Map
}

// Returns are the members in which every write of one item says what it wants to know.
type Returns struct {
	ReturnValues                        string `api:"enum=ALL_NEW|UPDATED_OLD|ALL_OLD|NONE|UPDATED_NEW"`
	ReturnConsumedCapacity              string `api:"enum=INDEXES|TOTAL|NONE"`
	ReturnItemCollectionMetrics         string `api:"enum=SIZE|NONE"`
	ReturnValuesOnConditionCheckFailure string `api:"enum=ALL_OLD|NONE"`
}

// PutItemInput is a request.
type PutItemInput struct {
	TableName           string    `api:"required,table"`
	Item                value.Map `api:"required"`
	ConditionExpression *string
	Expressions
	Returns
	Legacy []string `api:"unread=Expected|ConditionalOperator"`
}

// WriteOutput is the reply to PutItem, UpdateItem and DeleteItem.
type WriteOutput struct {
	Attributes            value.Map
	ConsumedCapacity      *ConsumedCapacity
	ItemCollectionMetrics *ItemCollectionMetrics
}

// DeleteItemInput is a request.
type DeleteItemInput struct {
	TableName           string    `api:"required,table"`
	Key                 value.Map `api:"required"`
	ConditionExpression *string
	Expressions
	Returns
	Legacy []string `api:"unread=Expected|ConditionalOperator"`
}

// UpdateItemInput is a request.
type UpdateItemInput struct {
	TableName           string    `api:"required,table"`
	Key                 value.Map `api:"required"`
	UpdateExpression    *string
	ConditionExpression *string
	Expressions
	Returns
	Legacy []string `api:"unread=AttributeUpdates|Expected|ConditionalOperator"`
}

// ItemCollectionMetrics says how large an item collection of a table with local indexes is, in GB, between two bounds.
type ItemCollectionMetrics struct {
	ItemCollectionKey   value.Map
	SizeEstimateRangeGB []float64
}

// Capacity is the units of a table or of an index.
type Capacity struct {
	CapacityUnits      *float64
	ReadCapacityUnits  *float64
	WriteCapacityUnits *float64
}

// ConsumedCapacity is the units of one table in one request.
type ConsumedCapacity struct {
	TableName              string
	CapacityUnits          *float64
	ReadCapacityUnits      *float64
	WriteCapacityUnits     *float64
	Table                  *Capacity
	LocalSecondaryIndexes  map[string]Capacity
	GlobalSecondaryIndexes map[string]Capacity
}
