package api

import "github.com/trestledb/trestle/ddbtest/internal/value"

// TransactWriteItemsInput is the request of TransactWriteItems.
type TransactWriteItemsInput struct {
	TransactItems               []TransactWriteItem `api:"required,min=1,max=100"`
	ClientRequestToken          *string             `api:"min=1,max=36"`
	ReturnConsumedCapacity      string              `api:"enum=INDEXES|TOTAL|NONE"`
	ReturnItemCollectionMetrics string              `api:"enum=SIZE|NONE"`
}

// TransactWriteItem is one action. Exactly one member is set.
type TransactWriteItem struct {
	ConditionCheck *ConditionCheck
	Put            *TransactPut
	Delete         *TransactDelete
	Update         *TransactUpdate
}

// ConditionCheck is an action that checks a condition and writes nothing.
type ConditionCheck struct {
	TableName           string    `api:"required,table"`
	Key                 value.Map `api:"required"`
	ConditionExpression *string   `api:"required"`
	Expressions
	ReturnValuesOnConditionCheckFailure string `api:"enum=ALL_OLD|NONE"`
}

// TransactPut is a put action.
type TransactPut struct {
	TableName           string    `api:"required,table"`
	Item                value.Map `api:"required"`
	ConditionExpression *string
	Expressions
	ReturnValuesOnConditionCheckFailure string `api:"enum=ALL_OLD|NONE"`
}

// TransactDelete is a delete action.
type TransactDelete struct {
	TableName           string    `api:"required,table"`
	Key                 value.Map `api:"required"`
	ConditionExpression *string
	Expressions
	ReturnValuesOnConditionCheckFailure string `api:"enum=ALL_OLD|NONE"`
}

// TransactUpdate is an update action.
type TransactUpdate struct {
	TableName           string    `api:"required,table"`
	Key                 value.Map `api:"required"`
	UpdateExpression    *string   `api:"required"`
	ConditionExpression *string
	Expressions
	ReturnValuesOnConditionCheckFailure string `api:"enum=ALL_OLD|NONE"`
}

// TransactWriteItemsOutput is the reply to TransactWriteItems.
type TransactWriteItemsOutput struct {
	ConsumedCapacity      []*ConsumedCapacity
	ItemCollectionMetrics map[string][]*ItemCollectionMetrics
}

// TransactGetItemsInput is the request of TransactGetItems.
type TransactGetItemsInput struct {
	TransactItems          []TransactGetItem `api:"required,min=1,max=100"`
	ReturnConsumedCapacity string            `api:"enum=INDEXES|TOTAL|NONE"`
}

// TransactGetItem is one read.
type TransactGetItem struct {
	Get *TransactGet `api:"required"`
}

// TransactGet names the item to read.
type TransactGet struct {
	TableName                string    `api:"required,table"`
	Key                      value.Map `api:"required"`
	ProjectionExpression     *string
	ExpressionAttributeNames map[string]string
}

// TransactGetItemsOutput is the reply to TransactGetItems.
type TransactGetItemsOutput struct {
	ConsumedCapacity []*ConsumedCapacity
	Responses        []ItemResponse
}

// ItemResponse holds the item that was read. Item is nil if there is none.
type ItemResponse struct {
	Item value.Map
}
