package api

import "github.com/trestledb/trestle/ddbtest/internal/value"

// Expressions are the members that all requests with expressions share.
type Expressions struct {
	ExpressionAttributeNames  map[string]string
	ExpressionAttributeValues map[string]value.Value
}

// GetItemInput is the request of GetItem.
type GetItemInput struct {
	TableName                string    `api:"required,table"`
	Key                      value.Map `api:"required"`
	ConsistentRead           bool
	ProjectionExpression     *string
	ExpressionAttributeNames map[string]string
	ReturnConsumedCapacity   string   `api:"enum=INDEXES|TOTAL|NONE"`
	AttributesToGet          []string `api:"min=1"`
}

// GetItemOutput is the reply to GetItem.
type GetItemOutput struct {
	ConsumedCapacity *ConsumedCapacity
	Item             value.Map
}

// Returns are the members with which a write of one item requests return values.
type Returns struct {
	ReturnValues                        string `api:"enum=ALL_NEW|UPDATED_OLD|ALL_OLD|NONE|UPDATED_NEW"`
	ReturnConsumedCapacity              string `api:"enum=INDEXES|TOTAL|NONE"`
	ReturnItemCollectionMetrics         string `api:"enum=SIZE|NONE"`
	ReturnValuesOnConditionCheckFailure string `api:"enum=ALL_OLD|NONE"`
}

// PutItemInput is the request of PutItem.
type PutItemInput struct {
	TableName           string    `api:"required,table"`
	Item                value.Map `api:"required"`
	ConditionExpression *string
	Expressions
	Returns
	Expectation
}

// WriteOutput is the reply to PutItem, UpdateItem and DeleteItem.
type WriteOutput struct {
	Attributes            value.Map
	ConsumedCapacity      *ConsumedCapacity
	ItemCollectionMetrics *ItemCollectionMetrics
}

// DeleteItemInput is the request of DeleteItem.
type DeleteItemInput struct {
	TableName           string    `api:"required,table"`
	Key                 value.Map `api:"required"`
	ConditionExpression *string
	Expressions
	Returns
	Expectation
}

// UpdateItemInput is the request of UpdateItem.
type UpdateItemInput struct {
	TableName           string    `api:"required,table"`
	Key                 value.Map `api:"required"`
	UpdateExpression    *string
	ConditionExpression *string
	Expressions
	Returns
	Expectation
	AttributeUpdates map[string]AttributeValueUpdate
}

// ItemCollectionMetrics is the lower and upper estimate, in GB, of the size of an item collection.
// Only tables with local secondary indexes have it.
type ItemCollectionMetrics struct {
	ItemCollectionKey   value.Map
	SizeEstimateRangeGB []float64
}

// Capacity is the capacity units that a table or an index consumed.
type Capacity struct {
	CapacityUnits      *float64
	ReadCapacityUnits  *float64
	WriteCapacityUnits *float64
}

// ConsumedCapacity is the capacity units that one request consumed in one table.
type ConsumedCapacity struct {
	TableName              string
	CapacityUnits          *float64
	ReadCapacityUnits      *float64
	WriteCapacityUnits     *float64
	Table                  *Capacity
	LocalSecondaryIndexes  map[string]Capacity
	GlobalSecondaryIndexes map[string]Capacity
}
