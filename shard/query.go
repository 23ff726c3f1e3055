package shard

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/exec"
	"github.com/trestledb/trestle/internal/op"
)

// query reads partitions, strongly consistent, one after the other. It calls take with each item,
// until take returns false or an error.
func (c *Counters) query(ctx context.Context, operation string, partitions []string, take func(op.Item) (more bool, err error)) error {
	call := exec.NewCall(c.exec, trestle.OperationInfo{Operation: operation, Table: c.exec.Table}, c.plan, trestle.NoWrite)
	return call.Observe(ctx, func(ctx context.Context) error {
		for _, partition := range partitions {
			in := c.queryInput(partition)
			for more := true; more; more = len(in.ExclusiveStartKey) > 0 {
				r := c.exec.Page(ctx, in, nil)
				if err := call.Account(&r); err != nil {
					return err
				}
				if more, err := passRows(&call, r.Rows, take); err != nil || !more {
					return err
				}
				in.ExclusiveStartKey = r.Last
			}
		}
		return nil
	})
}

// queryInput returns the input of a query of a partition.
func (c *Counters) queryInput(partition string) *dynamodb.QueryInput {
	return &dynamodb.QueryInput{
		TableName: &c.exec.Table, ConsistentRead: aws.Bool(true), ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal,
		KeyConditionExpression: aws.String("#p = :p"), ExpressionAttributeNames: map[string]string{"#p": c.schema.Partition.Name},
		ExpressionAttributeValues: op.Item{":p": core.KeyValue(c.schema.Partition.Type, partition)},
	}
}

// passRows calls take with the items of a page.
func passRows(call *exec.Call, rows core.Rows, take func(op.Item) (bool, error)) (more bool, err error) {
	for i := range rows.Len() {
		more, err := take(rows.At(i).Item())
		if err != nil {
			return false, call.Fail(err)
		}
		call.Items++
		if !more {
			return false, nil
		}
	}
	return true, nil
}
