package table

import (
	"context"
	"errors"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/internal/registry"
	"github.com/trestledb/trestle/internal/write"
)

// record stores the entries of the partitions that hold a page of items, so that the removal of
// their tenants finds them. The items may have been stored by programs that recorded none.
func (r *reindexRun) record(ctx context.Context, items []write.Stored) error {
	keys := make([]op.Item, len(items))
	for i := range items {
		keys[i] = items[i].Key
	}
	for _, of := range r.Config.Registries {
		partitions := of.MissingOf(keys, r.Config.Now())
		if len(partitions) == 0 {
			continue
		}
		err := parallel(ctx, r.Concurrency, len(partitions), func(ctx context.Context, n int) error {
			return r.recordPartition(ctx, of, partitions[n])
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// recordPartition stores the entry of a partition, unless there is a later one.
func (r *reindexRun) recordPartition(ctx context.Context, of *registry.Registry, partition string) error {
	if err := r.awaitRate(ctx); err != nil {
		return err
	}
	now, units := r.Config.Now(), 1.0 // DynamoDB does not report the unit of a failed condition
	err := r.do(ctx, r.plan, []op.Action{of.Put(partition, now)}, func(reply op.Reply) { units = reply.Capacity.Write })
	var newer *types.ConditionalCheckFailedException
	if errors.As(err, &newer) {
		r.locked(func() { r.capacity.Write += units })
		err = nil
	}
	if err != nil {
		return err
	}
	of.Know(partition, now)
	r.locked(func() {
		r.report.Partitions++
		r.limiter.add(units, time.Now())
	})
	return nil
}
