package maintain

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

// readAgain reads the items of a partition until the handler needs no more reads. An index can
// still have entries of items that are deleted.
func (r *tenantTask) readAgain(ctx context.Context, p partition, handle handler) error {
	for pass := range passes {
		again := false
		err := r.readPartition(ctx, p, func(ctx context.Context, items []op.Item) error {
			more, err := handle(ctx, items, pass)
			again = again || more
			return err
		})
		if err != nil || !again {
			return err
		}
	}
	return nil
}

// readPartition reads the items of a partition, strongly consistent, and calls take after each
// page. The items of an index are read by their keys.
func (r *tenantTask) readPartition(ctx context.Context, p partition, take func(context.Context, []op.Item) error) error {
	call, in := r.input(p)
	return call.Observe(ctx, func(ctx context.Context) error {
		for more := true; more; more = len(in.ExclusiveStartKey) > 0 {
			page, err := r.Page(ctx, &call, in)
			if err != nil {
				return err
			}
			items := make([]op.Item, page.Rows.Len())
			for i := range items {
				items[i] = page.Rows.At(i).Item()
			}
			if p.index != nil {
				if items, err = r.itemsOf(ctx, p, items); err != nil {
					return err
				}
			}
			if err := take(ctx, items); err != nil {
				return err
			}
			if err := r.WithinBudget(); err != nil {
				return err
			}
			if r.Progress != nil {
				r.Progress()
			}
			in.ExclusiveStartKey = page.Last
		}
		return nil
	})
}

// input returns the query of a partition and its call.
func (r *tenantTask) input(p partition) (exec.Call, *dynamodb.QueryInput) {
	call := exec.NewCall(r.own, trestle.OperationInfo{Operation: r.Name, Table: r.own.Table}, nil, trestle.NoWrite)
	in := &dynamodb.QueryInput{
		TableName: &r.own.Table, ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal,
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
func (r *tenantTask) itemsOf(ctx context.Context, p partition, entries []op.Item) (items []op.Item, err error) {
	var keys []fetch.KeyRequest
	for _, e := range entries {
		if own := (partition{nil, r.Schema.Partition, r.partitionOf(e)}); !slices.Contains(r.all, own) {
			keys = append(keys, fetch.KeyRequest{Table: r.own.Table, Schema: r.Schema, Key: r.Schema.KeyOf(core.NewRow(e)), Strong: true})
		}
	}
	if len(keys) == 0 {
		return nil, nil
	}
	call := exec.NewCall(r.own, trestle.OperationInfo{Operation: r.Name, Table: r.own.Table}, nil, trestle.NoWrite)
	_, err = fetch.BatchGet(ctx, &call, keys, fetch.Projection{}, func(_ int, row core.Row) error {
		if plan := r.Schema.PlanOf(row); plan != nil && plan.Tenant != nil && r.Schema.TenantIndex == nil {
			if _, index := plan.TenantKeyOf(); index != p.index {
				return nil
			}
		}
		items = append(items, row.Item())
		return nil
	})
	r.Spend(call.Capacity)
	return items, err
}

// ownPartition returns the partition key of an item without the tenant.
func (r *tenantTask) ownPartition(item op.Item) string {
	return r.Schema.CutTenant(r.partitionOf(item))
}

func (r *tenantTask) partitionOf(item op.Item) string {
	text, _ := core.KeyText(r.Schema.Partition.Type, item[r.Schema.Partition.Name])
	return text
}
