package api

import "github.com/trestledb/trestle/ddbtest/internal/value"

// BatchGetItemInput is the request of BatchGetItem.
type BatchGetItemInput struct {
	RequestItems           map[string]*KeysAndAttributes `api:"needed=BatchGetItem,max=100,tables"`
	ReturnConsumedCapacity string                        `api:"enum=INDEXES|TOTAL|NONE"`
}

// KeysAndAttributes is the keys to read from one table, and how to read them.
type KeysAndAttributes struct {
	Keys                     []value.Map `api:"required,min=1,max=100,terse"`
	AttributesToGet          []string    `api:"min=1"`
	ConsistentRead           bool
	ProjectionExpression     *string
	ExpressionAttributeNames map[string]string
}

// BatchGetItemOutput is the reply to BatchGetItem.
type BatchGetItemOutput struct {
	ConsumedCapacity []*ConsumedCapacity
	Responses        map[string][]value.Map
	UnprocessedKeys  map[string]*KeysAndAttributes
}

// BatchWriteItemInput is the request of BatchWriteItem.
type BatchWriteItemInput struct {
	RequestItems                map[string][]WriteRequest `api:"needed=BatchWriteItem,max=25,tables,each=25"`
	ReturnConsumedCapacity      string                    `api:"enum=INDEXES|TOTAL|NONE"`
	ReturnItemCollectionMetrics string                    `api:"enum=SIZE|NONE"`
}

// WriteRequest is one put or one delete. Exactly one member is set.
type WriteRequest struct {
	PutRequest    *PutRequest
	DeleteRequest *DeleteRequest
}

// PutRequest is an item to put.
type PutRequest struct {
	Item value.Map `api:"required"`
}

// DeleteRequest is the key of an item to delete.
type DeleteRequest struct {
	Key value.Map `api:"required"`
}

// BatchWriteItemOutput is the reply to BatchWriteItem.
type BatchWriteItemOutput struct {
	ConsumedCapacity      []*ConsumedCapacity
	ItemCollectionMetrics map[string][]*ItemCollectionMetrics
	UnprocessedItems      map[string][]WriteRequest
}
