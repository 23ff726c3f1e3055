package removal

import (
	"context"
	"slices"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/exec"
	"github.com/trestledb/trestle/internal/fetch"
	"github.com/trestledb/trestle/internal/op"
)

// passes is how often a partition is read at most. Another writer may store items meanwhile.
const passes = 4

// empty deletes the items of a partition until a read finds none, or only items that are kept. An
// index can still have entries of items that are deleted. A guard in an index is deleted with its
// item if it is not read before it, so the first read leaves guards.
func (r *run) empty(ctx context.Context, p partition) error {
	for pass := range passes {
		found, kept := 0, 0
		err := r.read(ctx, p, func(ctx context.Context, items []op.Item) error {
			found += len(items)
			of, err := r.delete(ctx, items, pass > 0, r.Concurrency)
			kept += of
			return err
		})
		if err != nil || found == kept {
			return err
		}
	}
	return nil
}

// read reads the items of a partition, strongly consistent, and calls take after each page. The
// items of an index are read by their keys.
func (r *run) read(ctx context.Context, p partition, take func(context.Context, []op.Item) error) error {
	call, in := r.query(p)
	return call.Observe(ctx, func(ctx context.Context) error {
		for more := true; more; more = len(in.ExclusiveStartKey) > 0 {
			page := r.Own.Page(ctx, in, nil)
			err := r.took(ctx, &call, &page, func(ctx context.Context, items []op.Item) (err error) {
				if p.index != nil {
					items, err = r.itemsOf(ctx, p, items)
				}
				if err != nil {
					return err
				}
				return take(ctx, items)
			})
			if err != nil {
				return err
			}
			in.ExclusiveStartKey = page.Last
		}
		return nil
	})
}

// query returns the query of a partition and its call.
func (r *run) query(p partition) (exec.Call, *dynamodb.QueryInput) {
	call := exec.NewCall(r.Own, trestle.OperationInfo{Operation: r.name, Table: r.Own.Table}, nil, trestle.NoWrite)
	in := &dynamodb.QueryInput{
		TableName: &r.Own.Table, ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal,
		KeyConditionExpression: aws.String("#p = :p"), ExpressionAttributeNames: map[string]string{"#p": p.key.Name},
		ExpressionAttributeValues: op.Item{":p": core.KeyValue(p.key.Type, p.value)},
	}
	if p.index == nil {
		in.ConsistentRead = aws.Bool(true)
	} else {
		in.IndexName = &p.index.Name
	}
	return call, in
}

// itemsOf reads the items of index entries, strongly consistent. It leaves out those that are gone,
// and those that another partition has.
func (r *run) itemsOf(ctx context.Context, p partition, entries []op.Item) (items []op.Item, err error) {
	var keys []fetch.KeyRequest
	for _, e := range entries {
		if own := (partition{nil, r.Schema.Partition, r.partitionOf(e)}); !slices.Contains(r.all, own) {
			keys = append(keys, fetch.KeyRequest{Table: r.Own.Table, Schema: r.Schema, Key: r.Schema.KeyOf(core.NewRow(e)), Strong: true})
		}
	}
	if len(keys) == 0 {
		return nil, nil
	}
	call := exec.NewCall(r.Own, trestle.OperationInfo{Operation: r.name, Table: r.Own.Table}, nil, trestle.NoWrite)
	_, err = fetch.BatchGet(ctx, &call, keys, fetch.Projection{}, func(_ int, row core.Row) error {
		if plan := r.Schema.PlanOf(row); plan != nil && plan.Tenant != nil && r.Schema.TenantIndex == nil {
			if _, index := plan.TenantKeyOf(); index != p.index {
				return nil
			}
		}
		items = append(items, row.Item())
		return nil
	})
	r.locked(func() { r.report.Capacity.Read += call.Capacity.Read })
	return items, err
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
	r.report.ByType[r.Schema.TypeName(core.NewRow(item))]++
}
