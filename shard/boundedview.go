package shard

import (
	"context"
	"slices"
	"time"

	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/libitem"
	"github.com/trestledb/trestle/internal/op"
)

// pool is the content of a pool item.
type pool struct {
	limit, free, version, changes int64
	shards                        int
}

// quota is the content of a shard.
type quota struct {
	free, taken, changes int64
	until                int64
}

// view is the pool and all shards, as a batch read returned them, which is not atomic.
type view struct {
	pool   pool
	shards []quota
}

var errNoLimit = refusal(errs.NotFound, "the counter has no limit", "call SetLimit once")

// numbersIn decodes integers of an item. A missing one is 0.
func numbersIn(item op.Item, into map[string]*int64) error {
	var wrong errs.Problems
	for attribute, n := range into {
		var err error
		*n, err = libitem.Optional(item, attribute)
		wrong.AddErr(attribute, err)
	}
	if len(wrong) > 0 {
		return &errs.ValidationError{Problems: wrong}
	}
	return nil
}

// poolOf decodes a pool item.
func poolOf(item op.Item) (p pool, err error) {
	if item == nil {
		return pool{}, errNoLimit
	}
	shards := int64(0)
	err = numbersIn(item, map[string]*int64{
		attrLimit: &p.limit, attrFree: &p.free, attrVersion: &p.version, attrChanges: &p.changes, attrShards: &shards,
	})
	if err == nil && (shards < 1 || shards > maxBoundedShards) {
		err = libitem.Unreadable(attrShards, "the number of shards is invalid")
	}
	p.shards = int(shards)
	return p, err
}

func quotaOf(item op.Item) (q quota, err error) {
	err = numbersIn(item, map[string]*int64{attrFree: &q.free, attrTaken: &q.taken, attrChanges: &q.changes, attrUntil: &q.until})
	return q, err
}

// expired reports whether the lease of a shard has expired.
func (q *quota) expired(now time.Time) bool { return q.until < now.UnixNano() }

// free returns the quota that can be taken anywhere.
func (v *view) free() int64 {
	n := v.pool.free
	for _, q := range v.shards {
		n += q.free
	}
	return n
}

// taken returns what was taken.
func (v *view) taken() (n int64) {
	for _, q := range v.shards {
		n += q.taken
	}
	return n
}

// readPool reads the pool item, and remembers its number of shards.
func (b *Bounded) readPool(ctx context.Context, operation, name string) (pool, error) {
	key, err := b.base.layout.limitKey(name, poolPart)
	if err != nil {
		return pool{}, b.base.failed(operation, err)
	}
	item, err := b.base.get(ctx, operation, key, true)
	if err != nil {
		return pool{}, err
	}
	p, err := poolOf(item)
	if err == nil {
		b.base.cache.put(b.base.own(name), state{shards: p.shards, max: p.shards}, time.Now())
	}
	return p, b.base.failed(operation, err)
}

// open returns the number of shards of a counter, which never changes.
func (b *Bounded) open(ctx context.Context, operation, name string) (shards int, err error) {
	if known := b.base.cache.known(b.base.own(name)); known.shards > 0 {
		return known.shards, nil
	}
	p, err := b.readPool(ctx, operation, name)
	return p.shards, err
}

// look reads the pool and all shards.
func (b *Bounded) look(ctx context.Context, operation, name string) (*view, error) {
	shards, err := b.open(ctx, operation, name)
	if err != nil {
		return nil, err
	}
	items := make([]op.Item, shards+1) // the pool is the last one
	targets := make([]target, len(items))
	for i := range items {
		of := i
		if of == shards {
			of = poolPart
		}
		key, err := b.base.layout.limitKey(name, of)
		if err != nil {
			return nil, b.base.failed(operation, err)
		}
		targets[i] = target{key, &items[i]}
	}
	if err := b.base.batchGet(ctx, operation, targets, true); err != nil {
		return nil, err
	}
	v, err := viewOf(items)
	return v, b.base.failed(operation, err)
}

// viewOf decodes the shards and the pool.
func viewOf(items []op.Item) (*view, error) {
	last := len(items) - 1
	p, err := poolOf(items[last])
	if err != nil {
		return nil, err
	}
	v := &view{pool: p, shards: make([]quota, last)}
	for i, item := range items[:last] {
		if v.shards[i], err = quotaOf(item); err != nil {
			return nil, err
		}
	}
	return v, nil
}

// settled reads the pool and all shards until two reads in a row are the same: each item was
// unchanged from the first read to the second one, so they were so at one moment. It stops earlier
// if enough reports true for a view.
func (b *Bounded) settled(ctx context.Context, operation, name string, enough func(*view) bool) (*view, error) {
	var before *view
	for try := 1; ; try++ {
		v, err := b.look(ctx, operation, name)
		if err != nil || enough(v) || before != nil && before.same(v) {
			return v, err
		}
		if before = v; try == maxTries {
			return nil, b.base.failed(operation, errContended)
		}
		if try == 1 {
			continue
		}
		if err := b.base.pause(ctx, operation, try); err != nil {
			return nil, err
		}
	}
}

// same reports whether two views are equal.
func (v *view) same(other *view) bool {
	return v.pool == other.pool && slices.Equal(v.shards, other.shards)
}

var errContended = refusal(errs.Stale, "other programs change the counter again and again", "repeat the call")
