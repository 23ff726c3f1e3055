package api

import "github.com/trestledb/trestle/ddbtest/internal/value"

// TransactWriteItemsInput is a request.
type TransactWriteItemsInput struct {
	TransactItems               []TransactWriteItem `api:"required,min=1,max=100"`
	ClientRequestToken          *string             `api:"min=1,max=36"`
	ReturnConsumedCapacity      string              `api:"enum=INDEXES|TOTAL|NONE"`
	ReturnItemCollectionMetrics string              `api:"enum=SIZE|NONE"`
}

// TransactWriteItem is one action: one member is there.
type TransactWriteItem struct {
	ConditionCheck *ConditionCheck
	Put            *TransactPut
	Delete         *TransactDelete
	Update         *TransactUpdate
}

// ConditionCheck is an action that writes nothing.
type ConditionCheck struct {
	TableName           string    `api:"required,table"`
	Key                 value.Map `api:"required"`
	ConditionExpression *string   `api:"required"`
	Expressions
	ReturnValuesOnConditionCheckFailure string `api:"enum=ALL_OLD|NONE"`
}

// TransactPut is an action.
type TransactPut struct {
	TableName           string    `api:"required,table"`
	Item                value.Map `api:"required"`
	ConditionExpression *string
	Expressions
	ReturnValuesOnConditionCheckFailure string `api:"enum=ALL_OLD|NONE"`
}

// TransactDelete is an action.
type TransactDelete struct {
	TableName           string    `api:"required,table"`
	Key                 value.Map `api:"required"`
	ConditionExpression *string
	Expressions
	ReturnValuesOnConditionCheckFailure string `api:"enum=ALL_OLD|NONE"`
}

// TransactUpdate is an action.
type TransactUpdate struct {
	TableName           string    `api:"required,table"`
	Key                 value.Map `api:"required"`
	UpdateExpression    *string   `api:"required"`
	ConditionExpression *string
	Expressions
	ReturnValuesOnConditionCheckFailure string `api:"enum=ALL_OLD|NONE"`
}

// TransactWriteItemsOutput is its reply.
type TransactWriteItemsOutput struct {
	ConsumedCapacity      []*ConsumedCapacity
	ItemCollectionMetrics map[string][]*ItemCollectionMetrics
}

// TransactGetItemsInput is a request.
type TransactGetItemsInput struct {
	TransactItems          []TransactGetItem `api:"required,min=1,max=100"`
	ReturnConsumedCapacity string            `api:"enum=INDEXES|TOTAL|NONE"`
}

// TransactGetItem is one read.
type TransactGetItem struct {
	Get *TransactGet `api:"required"`
}

// TransactGet is one read.
type TransactGet struct {
	TableName                string    `api:"required,table"`
	Key                      value.Map `api:"required"`
	ProjectionExpression     *string
	ExpressionAttributeNames map[string]string
}

// TransactGetItemsOutput is its reply.
type TransactGetItemsOutput struct {
	ConsumedCapacity []*ConsumedCapacity
	Responses        []ItemResponse
}

// ItemResponse holds an item that was read, or none.
type ItemResponse struct {
	Item value.Map
}
