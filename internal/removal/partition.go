package removal

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/batch"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/exec"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/internal/write"
)

// passes is how often a partition is read at most. Another writer may store items meanwhile.
const passes = 3

// empty deletes the items of a partition until a read finds none. It reports whether one did.
func (r *run) empty(ctx context.Context, partition string, concurrency int) (bool, error) {
	for range passes {
		found := 0
		err := r.read(ctx, partition, func(ctx context.Context, items []op.Item) error {
			found += len(items)
			return r.deletePage(ctx, items, concurrency)
		})
		if err != nil || found == 0 {
			return err == nil, err
		}
	}
	return false, nil
}

// read reads the items of a partition, strongly consistent, and calls take after each page.
func (r *run) read(ctx context.Context, partition string, take func(context.Context, []op.Item) error) error {
	s := r.Schema
	call := exec.NewCall(r.Own, trestle.OperationInfo{Operation: r.name, Table: r.Own.Table}, nil, trestle.NoWrite)
	in := &dynamodb.QueryInput{
		TableName: &r.Own.Table, ConsistentRead: aws.Bool(true), ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal,
		KeyConditionExpression: aws.String("#p = :p"), ExpressionAttributeNames: map[string]string{"#p": s.Partition.Name},
		ExpressionAttributeValues: op.Item{":p": core.KeyValue(s.Partition.Type, partition)},
	}
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

// deletePage deletes items, and before each one the guards of its unique values: only the item
// leads to them.
func (r *run) deletePage(ctx context.Context, items []op.Item, concurrency int) error {
	var guards []op.Item
	for _, item := range items {
		if p := r.Schema.PlanOf(core.NewRow(item)); p != nil && len(p.Uniques) > 0 {
			of, _ := write.StoredGuards(p, item) // an item that cannot be decoded has no guard that could be found
			guards = append(guards, of...)
		}
	}
	if err := r.deleteAll(ctx, guards, concurrency, func(op.Item) { r.report.Guards++ }); err != nil {
		return err
	}
	return r.deleteAll(ctx, items, concurrency, r.deleted)
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

// deleteAll deletes items in batches. done is called for each one.
func (r *run) deleteAll(ctx context.Context, items []op.Item, concurrency int, done func(op.Item)) error {
	plan := &core.Plan{Schema: r.Schema}
	var used trestle.Capacity
	b := batch.Batch{Name: r.name, Table: r.Own.Table, Config: r.Own, Options: batch.Options{
		Concurrency: concurrency, Progress: func(p batch.Progress) { used = p.Capacity },
	}}
	err := b.Write(ctx, func(yield func(any, batch.Operation) bool) {
		for _, item := range items {
			if item != nil && !yield(nil, deletion{r, plan, item, done}) {
				return
			}
		}
	})
	r.locked(func() { r.report.Capacity.Add(used) })
	return err
}

// deletion is the deletion of an item in a batch.
type deletion struct {
	of   *run
	plan *core.Plan
	item op.Item
	done func(op.Item)
}

// Plan plans the deletion.
func (d deletion) Plan() (batch.Write, error) {
	act := op.Action{Verb: op.Delete, Plan: d.plan, Key: d.of.Schema.KeyOf(core.NewRow(d.item)), Idempotent: true}
	return batch.Write{
		Operation: op.Operation{Name: d.of.name, Plan: d.plan, Actions: []op.Action{act}},
		Config:    d.of.Own,
		Stamp: func() error {
			d.of.locked(func() { d.done(d.item) })
			return nil
		},
	}, nil
}
