package shard

import (
	"context"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/libitem"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/internal/reserved"
)

// open returns the number of shards for increments. It reads the total item if the number is not
// known or old, and creates the item if there is none: before an increment uses a shard other than
// the first, the item has the number, so that all programs agree on it.
func (c *Counters) open(ctx context.Context, operation string, of counter) (shards int, err error) {
	if known, fresh := c.cache.get(of, time.Now(), c.config.Refresh); fresh {
		return known.shards, nil
	}
	s, err := c.load(ctx, operation, of, false)
	return s.shards, err
}

// load reads the total item, and creates it if there is none.
func (c *Counters) load(ctx context.Context, operation string, of counter, strong bool) (state, error) {
	s, err := c.readState(ctx, operation, of, strong)
	if err != nil {
		return state{}, err
	}
	if !s.stored {
		if s, err = c.create(ctx, operation, of); err != nil {
			return state{}, err
		}
	}
	c.cache.put(of, s, time.Now())
	return s, nil
}

// readState reads the total item.
func (c *Counters) readState(ctx context.Context, operation string, of counter, strong bool) (state, error) {
	key, err := c.layout.totalKey(of)
	if err != nil {
		return state{}, c.failed(operation, err)
	}
	item, err := c.get(ctx, operation, key, strong)
	if err != nil {
		return state{}, err
	}
	return c.decode(operation, item)
}

// decode decodes a total item.
func (c *Counters) decode(operation string, item op.Item) (state, error) {
	s, err := stateOf(item, c.config.Shards)
	if err == nil && s.stored && s.form != c.config.Mode.form() {
		err = errOtherForm
	}
	return s, c.failed(operation, err)
}

var errOtherForm = errs.New("Mode", "the counter was created in a mode that stores its values elsewhere", "use the mode of the programs that count, or another family")

// create stores the number of shards in the total item, if it has none, and returns what is stored.
func (c *Counters) create(ctx context.Context, operation string, of counter) (state, error) {
	act, err := c.creation(of)
	if err != nil {
		return state{}, c.failed(operation, err)
	}
	act.Return = trestle.AllNew
	reply, err := c.do(ctx, operation, []op.Action{act})
	if err != nil {
		return state{}, err
	}
	return c.decode(operation, reply.Rows.First().Item())
}

// creation returns an update that stores the number of shards in a total item that has none.
func (c *Counters) creation(of counter) (op.Action, error) {
	key, err := c.layout.totalKey(of)
	if err != nil {
		return op.Action{}, err
	}
	n, zero := libitem.Number(int64(c.config.Shards)), libitem.Number(0)
	b := libitem.NewUpdate(key)
	for _, a := range []struct {
		name  string
		value core.AV
	}{
		{attrShards, n}, {attrForm, &types.AttributeValueMemberS{Value: c.config.Mode.form()}}, {attrMax, n}, {attrEpoch, zero}, {attrBase, zero}, {attrMoved, &types.AttributeValueMemberM{Value: op.Item{}}},
	} {
		b.SetDefault(a.name, a.value)
	}
	c.setOwn(b)
	act := b.Action()
	act.Idempotent = true
	return act, nil
}

// setOwn sets the attributes that a shard, a total item or the item of a Writer has because of the
// schema.
func (c *Counters) setOwn(b *libitem.Update) {
	itemType := reserved.CountType
	if c.layout.keys != nil {
		itemType = ""
	}
	b.SetOwn(c.schema, itemType)
}
