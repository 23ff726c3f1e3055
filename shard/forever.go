package shard

import (
	"context"
	"strconv"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/clause"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/libitem"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/internal/reserved"
)

// sendForever stores the marker and adds to the shard of the key, in one transaction. A marker with
// the same number means that the increment was applied before.
func (a *addition) sendForever(ctx context.Context, shards int) (op.Reply, result, error) {
	actions, err := a.marked(shards)
	if err != nil {
		return op.Reply{}, ended, a.failed(opAdd, err)
	}
	reply, err := a.do(ctx, opAdd, actions)
	if err == nil {
		return reply, ended, nil
	}
	unmet, canceled := unmetConditions(err, len(actions))
	switch {
	case unmet[0].failed:
		return reply, ended, a.compare(err, unmet[0].item)
	case canceled: // only the shard
		a.denied = true
		return reply, closed, err
	case trestle.OutcomeOf(err) == trestle.Unknown:
		return reply, ended, a.resolve(ctx, actions[0].Key, err)
	default:
		return reply, ended, err
	}
}

// marked returns the actions of an increment with a marker.
func (a *addition) marked(shards int) ([]op.Action, error) {
	shard := a.option.shard(shards)
	mark, err := a.mark(shard)
	if err != nil {
		return nil, err
	}
	act, err := a.increment(shard)
	return []op.Action{mark, act}, err
}

// mark returns the put of the marker.
func (a *addition) mark(shard int) (op.Action, error) {
	key, err := a.layout.markKey(a.of, a.option.key)
	if err != nil {
		return op.Action{}, err
	}
	item := op.Item{attrValue: libitem.Number(a.n), attrShard: libitem.Number(int64(shard))}
	if life := a.config.MarkerLife; life > 0 {
		item[a.schema.TTL] = &types.AttributeValueMemberN{Value: strconv.FormatInt(a.exec.Now().Add(life).Unix(), 10)}
	}
	put := a.putNew(key, reserved.MarkType, item)
	put.Label = "the marker of the increment"
	return put, nil
}

// putNew returns the put of an item that does not exist.
func (c *Counters) putNew(key op.Item, itemType string, attributes op.Item) op.Action {
	return op.Action{
		Verb: op.Put, Key: key, Item: op.NewContent(c.schema.OwnItem(itemType, key, attributes)),
		Clauses: []clause.Clause{{Pred: clause.NoItem{Key: &c.schema.Partition}, Fails: errs.Exists, Rank: clause.Existence}},
	}
}

// compare returns nil if the stored marker or event is that of this increment. Otherwise, the key
// was counted with another number, and this increment is certainly not applied.
func (a *addition) compare(err error, stored op.Item) error {
	n, unreadable := libitem.Required(stored, attrValue)
	switch {
	case unreadable != nil:
		return withOutcome(a.failed(opAdd, unreadable), trestle.OutcomeOf(err))
	case n == a.n:
		return nil
	default:
		a.denied = true
		return a.failed(opAdd, errKeyUsed)
	}
}

// resolve reads the item that tells whether an increment with an unknown outcome was applied. If
// there is no such item, the request can still arrive.
func (a *addition) resolve(ctx context.Context, key op.Item, err error) error {
	stored, failure := a.get(ctx, opAdd, key, true)
	if failure != nil || stored == nil {
		return err
	}
	return a.compare(err, stored)
}
