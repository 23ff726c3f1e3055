package costs

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/entity/costtest"
)

// explain returns the units that a transaction is expected to consume.
type explain func() (float64, error)

// Transaction returns a pattern whose call sends one transaction, explained by x, after the reads.
func Transaction(
	name string, run func(context.Context) error, x func(...trestle.Assumption) (trestle.TransactionExplanation, error), reads ...costtest.Call,
) Pattern {
	return Pattern{name, run, reads, func() (float64, error) {
		explained, err := x()
		if !explained.Writes {
			return explained.Units.Read, err
		}
		return explained.Units.Write, err
	}}
}

// Operation returns a pattern whose call sends one operation as a transaction, explained by x,
// after the reads.
func Operation(
	name string, run func(context.Context) error, x func(...trestle.Assumption) (trestle.Explanation, error), reads ...costtest.Call,
) Pattern {
	return Pattern{name, run, reads, func() (float64, error) {
		explained, err := x()
		return explained.Units.Write, err
	}}
}

// transactions is a client that sums the units of transactions, and measures all other requests
// with a meter.
type transactions struct {
	*costtest.Meter

	client *dynamodb.Client
	units  float64
}

// take returns and resets the sum.
func (c *transactions) take() float64 {
	units := c.units
	c.units = 0
	return units
}

func (c *transactions) TransactWriteItems(
	ctx context.Context, in *dynamodb.TransactWriteItemsInput, options ...func(*dynamodb.Options),
) (*dynamodb.TransactWriteItemsOutput, error) {
	out, err := c.client.TransactWriteItems(ctx, in, options...)
	if err == nil {
		c.add(out.ConsumedCapacity)
	}
	return out, err
}

func (c *transactions) TransactGetItems(
	ctx context.Context, in *dynamodb.TransactGetItemsInput, options ...func(*dynamodb.Options),
) (*dynamodb.TransactGetItemsOutput, error) {
	out, err := c.client.TransactGetItems(ctx, in, options...)
	if err == nil {
		c.add(out.ConsumedCapacity)
	}
	return out, err
}

func (c *transactions) add(consumed []types.ConsumedCapacity) {
	for _, table := range consumed {
		c.units += aws.ToFloat64(table.CapacityUnits)
	}
}
