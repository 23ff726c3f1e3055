package trestle

import "github.com/aws/aws-sdk-go-v2/service/dynamodb"

// Capacity is the capacity that an operation consumed, in read and write units, including indexes.
type Capacity struct {
	Read, Write float64
}

// Add adds o to c.
func (c *Capacity) Add(o Capacity) {
	c.Read += o.Read
	c.Write += o.Write
}

// Return selects the part of the item that a write returns, like ReturnValues of DynamoDB.
type Return uint8

const (
	// AllOld is the item before the write (ALL_OLD).
	AllOld Return = iota + 1
	// AllNew is the item after an update (ALL_NEW).
	AllNew
	// UpdatedOld is the updated attributes as they were before the update (UPDATED_OLD).
	UpdatedOld
	// UpdatedNew is the updated attributes as they are after the update (UPDATED_NEW).
	UpdatedNew
)

// Input is the SDK input of an operation on one item. One field is set: Get for a get, Put for a
// create, a put and an overwrite, Update for an update and an upsert, Delete for a delete, and
// Transaction for a check and for an operation with a token.
//
// Send a Transaction without a ClientRequestToken only once. The SDK sets a token in the input when
// it sends it, and DynamoDB does not apply a second request with the same token within ten minutes.
type Input struct {
	Get         *dynamodb.GetItemInput
	Put         *dynamodb.PutItemInput
	Update      *dynamodb.UpdateItemInput
	Delete      *dynamodb.DeleteItemInput
	Transaction *dynamodb.TransactWriteItemsInput
}
