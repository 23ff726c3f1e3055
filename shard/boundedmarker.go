package shard

import (
	"context"
	"strconv"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/libitem"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/internal/reserved"
)

// marker is what a key took.
type marker struct {
	n        int64
	shard    int // that counts it as taken
	returned bool
}

func markerOf(item op.Item) (m marker, err error) {
	var wrong errs.Problems
	m.n, err = libitem.Required(item, attrValue)
	wrong.AddErr("", err)
	shard, err := libitem.Required(item, attrShard)
	wrong.AddErr("", err)
	m.shard, m.returned = int(shard), item[attrReturned] != nil
	if len(wrong) > 0 {
		return m, &errs.ValidationError{Problems: wrong}
	}
	return m, nil
}

// mark returns the put of the marker of a key.
func (b *Bounded) mark(name, key string, n int64, shard int) (op.Action, error) {
	at, err := b.base.layout.takenKey(name, key)
	if err != nil {
		return op.Action{}, err
	}
	item := op.Item{attrValue: libitem.Number(n), attrShard: libitem.Number(int64(shard))}
	if life := b.config.MarkerLife; life > 0 {
		item[b.base.schema.TTL] = &types.AttributeValueMemberN{Value: strconv.FormatInt(b.base.exec.Now().Add(life).Unix(), 10)}
	}
	put := b.base.putNew(at, reserved.TakenType, item)
	put.Label = "the marker of the key"
	return put, nil
}

// marker reads the marker of a key. It returns nil if there is none.
func (b *Bounded) marker(ctx context.Context, operation, name, key string) (op.Item, error) {
	at, err := b.base.layout.takenKey(name, key)
	if err != nil {
		return nil, b.base.failed(operation, err)
	}
	return b.base.get(ctx, operation, at, true)
}
