package removal

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

// passes is how often a partition is read at most. Another writer may store items meanwhile.
const passes = 3

// empty deletes the items of a partition until a read finds none, or only items that are kept. It
// reports whether a read found none.
func (r *run) empty(ctx context.Context, partition string, concurrency int) (bool, error) {
	for range passes {
		found, kept := 0, 0
		err := r.read(ctx, partition, func(ctx context.Context, items []op.Item) error {
			found += len(items)
			of, err := r.deletePage(ctx, items, concurrency)
			kept += of
			return err
		})
		if err != nil || found == kept {
			return err == nil && found == 0, err
		}
	}
	return false, nil
}

// read reads the items of a partition, strongly consistent, and calls take after each page.
func (r *run) read(ctx context.Context, partition string, take func(context.Context, []op.Item) error) error {
	call, in := r.query(partition)
	return call.Observe(ctx, func(ctx context.Context) error {
		for more := true; more; more = len(in.ExclusiveStartKey) > 0 {
			page := r.Own.Page(ctx, in, nil)
			if err := r.took(ctx, &call, &page, take); err != nil {
				return err
			}
			in.ExclusiveStartKey = page.Last
		}
		return nil
	})
}

// query returns the query of a partition, strongly consistent, and its call.
func (r *run) query(partition string) (exec.Call, *dynamodb.QueryInput) {
	s := r.Schema
	call := exec.NewCall(r.Own, trestle.OperationInfo{Operation: r.name, Table: r.Own.Table}, nil, trestle.NoWrite)
	return call, &dynamodb.QueryInput{
		TableName: &r.Own.Table, ConsistentRead: aws.Bool(true), ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal,
		KeyConditionExpression: aws.String("#p = :p"), ExpressionAttributeNames: map[string]string{"#p": s.Partition.Name},
		ExpressionAttributeValues: op.Item{":p": core.KeyValue(s.Partition.Type, partition)},
	}
}

// took accounts for a page and passes its items on.
func (r *run) took(ctx context.Context, call *exec.Call, page *exec.Response, take func(context.Context, []op.Item) error) error {
	before := call.Capacity
	if err := call.Account(page); err != nil {
		return err
	}
	r.locked(func() { r.report.Capacity.Read += call.Capacity.Read - before.Read })
	items := make([]op.Item, page.Rows.Len())
	for i := range items {
		items[i] = page.Rows.At(i).Item()
	}
	if err := take(ctx, items); err != nil {
		return err
	}
	return r.progressed()
}

// deleted adds an item to the report.
func (r *run) deleted(item op.Item) {
	if r.name == RemoveName && r.isGuard(item) {
		r.report.Guards++
		return
	}
	r.report.Items++
	r.report.ByType[r.typeOf(item)]++
}

// typeOf returns the name of an item's type, or "".
func (r *run) typeOf(item op.Item) string {
	if name, ok := item[r.Schema.TypeAttr].(*types.AttributeValueMemberS); ok && r.Schema.TypeAttr != "" {
		return name.Value
	}
	if p := r.Schema.PlanOf(core.NewRow(item)); p != nil {
		return p.Name
	}
	return ""
}
