package fetch

import (
	"context"
	"maps"
	"slices"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/exec"
	"github.com/trestledb/trestle/internal/op"
)

// batchSize is the maximum number of keys in one BatchGetItem request.
const batchSize = 100

// KeyRequest is an item that a batch read wants, by its key.
type KeyRequest struct {
	Table  string
	Schema *core.Schema
	Key    op.Item
	Strong bool
	// Elsewhere are further keys under which the item may be. All keys are read.
	Elsewhere []op.Item
}

// identity returns a text that is the same for all requests of the same item.
func (k *KeyRequest) identity() string { return k.Schema.IdentityIn(k.Table, core.NewRow(k.Key)) }

// Projection is the part of each item that a batch read returns. The zero value is the whole item.
type Projection struct {
	Expression string
	Names      map[string]string
}

// Distinct returns the number of distinct items, and how many of them are read strongly
// consistently.
func Distinct(keys []KeyRequest) (items, strong int) {
	if hasPlaces(keys) {
		keys, _ = everyPlace(keys)
	}
	seen := make(map[string]bool, len(keys))
	for i := range keys {
		k := &keys[i]
		id := k.identity()
		if !seen[id] && k.Strong {
			strong++
		}
		seen[id] = true
	}
	return len(seen), strong
}

// BatchGet reads items by their keys, 100 per request, with up to 4 requests at the same time. It
// calls take with the index of each key whose item exists, and reads a repeated key once. It
// retries keys that DynamoDB leaves unprocessed after a pause, and then sends one request after the
// other until DynamoDB processes all keys of one. It gives up after 8 consecutive requests without
// a processed key.
// With an error, it returns the indexes of the keys that were not read, or for which take failed.
// The error is a *trestle.OpError.
func BatchGet(ctx context.Context, c *exec.Call, keys []KeyRequest, p Projection, take func(i int, row core.Row) error) (left []int, err error) {
	if hasPlaces(keys) {
		all, of := everyPlace(keys)
		take, taken := takeOf(of, take)
		left, err = batchGet(ctx, c, all, p, take)
		return leftOf(left, of, taken), err
	}
	return batchGet(ctx, c, keys, p, take)
}

func batchGet(ctx context.Context, c *exec.Call, keys []KeyRequest, p Projection, take func(i int, row core.Row) error) (left []int, err error) {
	b := newBatch(c, keys, p, take)
	if err = c.Observe(ctx, b.run); err != nil {
		left = b.left()
	}
	return left, err
}

func newBatch(c *exec.Call, keys []KeyRequest, p Projection, take func(i int, row core.Row) error) *batch {
	b := &batch{
		call: c, keys: keys, projection: p, take: take, same: map[string][]int{}, schemas: map[string]*core.Schema{}, failed: map[int]error{},
		arrived: make(chan *batchReply, maxBatches),
	}
	for i := range keys {
		id := keys[i].identity()
		if b.same[id] == nil {
			b.queue = append(b.queue, i)
		}
		b.same[id] = append(b.same[id], i)
		b.schemas[keys[i].Table] = keys[i].Schema
	}
	return b
}

// batch is a running batch read.
type batch struct {
	call       *exec.Call
	keys       []KeyRequest
	projection Projection
	take       func(int, core.Row) error
	same       map[string][]int // indexes of the keys by identity
	schemas    map[string]*core.Schema
	queue      []int         // index of the first key of each item that is still to be read
	failed     map[int]error // the errors of take, by index
	mayRequest func() bool   // called before each request, which ends the read if it returns false; nil: no budget

	arrived chan *batchReply
	running int   // requests
	stopped error // the read ends after the running requests
	backoff backoff
}

// run reads the items. The caller's goroutine delivers the items of a reply while the next requests
// are running.
func (b *batch) run(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer b.wait()
	defer cancel()
	for b.send(ctx); b.running > 0; b.send(ctx) {
		r := b.next()
		if err := b.account(r); err != nil {
			b.queue = append(b.queue, r.sent...)
			if cancel(); b.stopped == nil {
				b.stopped = err
			}
			continue
		}
		again := b.unprocessed(r.sent, r.response.Unprocessed)
		b.queue = append(again, b.queue...)
		b.backoff.note(len(again), len(r.sent))
		b.send(ctx)
		b.deliver(r.response.Tables)
		if b.backoff.due && b.running == 0 && b.stopped == nil {
			b.stopped = b.pause(ctx)
		}
	}
	if b.stopped != nil {
		return b.stopped
	}
	return b.unreadable()
}

// input returns a request for some of the keys.
func (b *batch) input(sent []int) *dynamodb.BatchGetItemInput {
	tables := map[string]types.KeysAndAttributes{}
	for _, i := range sent {
		k := &b.keys[i]
		t := tables[k.Table]
		if t.Keys == nil && b.projection.Expression != "" {
			// A clone, because the projection keeps its own map.
			t.ProjectionExpression, t.ExpressionAttributeNames = aws.String(b.projection.Expression), maps.Clone(b.projection.Names)
		}
		if k.Strong {
			t.ConsistentRead = aws.Bool(true)
		}
		t.Keys = append(t.Keys, k.Key)
		tables[k.Table] = t
	}
	return &dynamodb.BatchGetItemInput{RequestItems: tables, ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal}
}

// unprocessed returns the indexes of the unprocessed keys, in their order, and counts them.
func (b *batch) unprocessed(sent []int, tables map[string]types.KeysAndAttributes) []int {
	if len(tables) == 0 {
		return nil
	}
	unprocessed := map[string]bool{}
	for table, t := range tables {
		if b.schemas[table] == nil {
			continue // not one of ours
		}
		b.call.Unprocessed += len(t.Keys)
		for _, key := range t.Keys {
			unprocessed[b.schemas[table].IdentityIn(table, core.NewRow(key))] = true
		}
	}
	var again []int
	for _, i := range sent {
		if unprocessed[b.keys[i].identity()] {
			again = append(again, i)
		}
	}
	return again
}

// deliver calls take for each item and each of its keys. It continues after an error.
func (b *batch) deliver(tables map[string]core.Rows) {
	var id []byte
	for table, items := range tables {
		s := b.schemas[table]
		if s == nil {
			continue // not one of ours
		}
		for n := range items.Len() {
			row := items.At(n)
			id = s.AppendIdentityIn(id[:0], table, row)
			for _, i := range b.same[string(id)] {
				if err := b.take(i, row); err != nil {
					b.failed[i] = err
				}
			}
		}
	}
}

// unreadable returns the error of the first key for which take failed, or nil.
func (b *batch) unreadable() error {
	if len(b.failed) == 0 {
		return nil
	}
	first := slices.Min(slices.Collect(maps.Keys(b.failed)))
	e := b.call.FailAt(b.keys[first].Key, b.failed[first])
	e.Table = b.keys[first].Table
	return e
}

// left returns the indexes of the keys that are still in the queue or for which take failed, in
// ascending order.
func (b *batch) left() []int {
	all := slices.Collect(maps.Keys(b.failed))
	for _, i := range b.queue {
		all = append(all, b.same[b.keys[i].identity()]...)
	}
	slices.Sort(all)
	return all
}
