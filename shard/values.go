package shard

import (
	"context"

	"github.com/trestledb/trestle/internal/errs"
)

// ShardValues returns the value of each shard of a counter, to see how even they are: element i is
// that of shard i, as many as readers read (Max of [ShardInfo]). With Regions, they are those of
// this program's Region.
//
// Their sum need not be the total of the counter: [Counters.Drain] and a [Counters.Resize] to fewer
// shards move values to the total item. The shards are not read at one moment. It costs as much as
// [Counters.Total]. Errors: [trestle.ErrInvalid] in the modes Events and WriterOwned, which have no
// such shards.
func (c *Counters) ShardValues(ctx context.Context, name string) ([]int64, error) {
	if err := c.ready(opShardValues, name); err != nil {
		return nil, err
	}
	if !c.config.Mode.sharded() {
		return nil, c.failed(opShardValues, errs.New("", "the counters of mode "+c.config.Mode.String()+" have no shards with a value", "use Total"))
	}
	r := &reading{of: c.own(name)}
	if err := c.readAll(ctx, opShardValues, []*reading{r}); err != nil {
		return nil, err
	}
	values := make([]int64, r.state.max)
	for i, p := range c.parts(&r.state) {
		n, _, err := c.shardValue(*r.parts[p])
		if err != nil {
			return nil, c.failed(opShardValues, err)
		}
		values[i] = n
	}
	return values, nil
}
