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

// Return is the part of the item that a write returns.
type Return uint8

const (
	// AllOld is the item before the write.
	AllOld Return = iota + 1
	// AllNew is the item after an update.
	AllNew
	// UpdatedOld is the updated attributes before the update.
	UpdatedOld
	// UpdatedNew is the updated attributes after the update.
	UpdatedNew
)

// Input is the SDK input of an operation on one item. One field is set: Put for a create, a put and
// an overwrite, Update for an update and an upsert, and Transaction for a check and for an
// operation with a token. The SDK writes a token into the input of a transaction that has none, so
// such an input must be sent only once.
type Input struct {
	Get         *dynamodb.GetItemInput
	Put         *dynamodb.PutItemInput
	Update      *dynamodb.UpdateItemInput
	Delete      *dynamodb.DeleteItemInput
	Transaction *dynamodb.TransactWriteItemsInput
}
