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
	for i, id := range identities(keys) {
		if !seen[id] && keys[i].Strong {
			strong++
		}
		seen[id] = true
	}
	return len(seen), strong
}

// BatchGet reads items by their keys, 100 per request, with up to 4 requests at the same time. It
// calls take with the index of each key whose item exists, and reads a repeated key once. The row
// must not be used after take, except that of [core.RowsOf]. BatchGet retries keys that DynamoDB
// leaves unprocessed after a pause, and then sends one request after the other until DynamoDB
// processes all keys of one. It gives up after 8 consecutive requests without a processed key. With
// an error, it returns the indexes of the keys that were not read, or for which take failed. The
// error is a *trestle.OpError.
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
	b.releases = true
	if err = c.Observe(ctx, b.run); err != nil {
		left = b.left()
	}
	return left, err
}

func newBatch(c *exec.Call, keys []KeyRequest, p Projection, take func(i int, row core.Row) error) *batch {
	b := &batch{
		call: c, keys: keys, projection: p, take: take, ids: identities(keys), schemas: map[string]*core.Schema{}, failed: map[int]error{},
		first: make(map[string]int, len(keys)), queue: make([]int, 0, len(keys)), arrived: make(chan *batchReply, maxBatches),
	}
	for i := range keys {
		if i == 0 || keys[i].Table != keys[i-1].Table || keys[i].Schema != keys[i-1].Schema {
			b.schemas[keys[i].Table] = keys[i].Schema
		}
		first, repeated := b.first[b.ids[i]]
		if !repeated {
			b.first[b.ids[i]] = i
			b.queue = append(b.queue, i)
			continue
		}
		if b.repeated == nil {
			b.repeated = map[int][]int{}
		}
		b.repeated[first] = append(b.repeated[first], i)
	}
	return b
}

// identities returns the texts of identity of all requests, which share their memory.
func identities(keys []KeyRequest) []string {
	ids, ends := make([]string, len(keys)), make([]int, len(keys))
	const estimate = 64 // of the length of a text
	all := make([]byte, 0, estimate*len(keys))
	for i := range keys {
		all = keys[i].Schema.AppendIdentityIn(all, keys[i].Table, keys[i].keyRow())
		ends[i] = len(all)
	}
	text, start := string(all), 0
	for i, end := range ends {
		ids[i], start = text[start:end], end
	}
	return ids
}

// batch is a running batch read.
type batch struct {
	call       *exec.Call
	keys       []KeyRequest
	projection Projection
	take       func(int, core.Row) error
	ids        []string       // the identities of the keys
	first      map[string]int // index of the first key of each item
	repeated   map[int][]int  // indexes of the other keys of an item, by that of the first one
	schemas    map[string]*core.Schema
	queue      []int         // index of the first key of each item that is still to be read
	failed     map[int]error // the errors of take, by index
	mayRequest func() bool   // called before each request, which ends the read if it returns false; nil: no budget
	releases   bool          // rows are not used after take

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

// input returns a request for some of the keys. The keys are returned beside it if they can take
// their places in the body as JSON.
func (b *batch) input(sent []int) (*dynamodb.BatchGetItemInput, *exec.KeyList) {
	list := b.list(sent)
	tables := make(map[string]types.KeysAndAttributes, 1)
	for len(sent) > 0 {
		table := b.keys[sent[0]].Table
		n := slices.IndexFunc(sent, func(i int) bool { return b.keys[i].Table != table })
		if n < 0 {
			n = len(sent)
		}
		t, known := tables[table]
		if !known && b.projection.Expression != "" {
			// A clone, because the projection keeps its own map.
			t.ProjectionExpression, t.ExpressionAttributeNames = aws.String(b.projection.Expression), maps.Clone(b.projection.Names)
		}
		if list == nil {
			t.Keys = slices.Grow(t.Keys, n)
		}
		for _, i := range sent[:n] {
			if b.keys[i].Strong && t.ConsistentRead == nil {
				t.ConsistentRead = aws.Bool(true)
			}
			if list != nil {
				continue
			}
			t.Keys = append(t.Keys, b.keys[i].key())
		}
		tables[table], sent = t, sent[n:]
	}
	return &dynamodb.BatchGetItemInput{RequestItems: tables, ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal}, list
}

// list returns keys of one table as JSON, or nil if one of them has an attribute map.
func (b *batch) list(sent []int) *exec.KeyList {
	length, table := 0, b.keys[sent[0]].Table
	for _, i := range sent {
		k := &b.keys[i]
		if k.json == nil || k.Table != table {
			return nil
		}
		length += len(k.json) + len(",")
	}
	json := append(make([]byte, 0, length+len("]")), '[')
	for n, i := range sent {
		if n > 0 {
			json = append(json, ',')
		}
		json = append(json, b.keys[i].json...)
	}
	return &exec.KeyList{JSON: append(json, ']'), Maps: func() []op.Item {
		maps := make([]op.Item, len(sent))
		for n, i := range sent {
			maps[n] = b.keys[i].key()
		}
		return maps
	}}
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
		if unprocessed[b.ids[i]] {
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
			first, ok := b.first[string(id)]
			if !ok {
				continue
			}
			b.takeRow(first, row)
			for _, i := range b.repeated[first] {
				b.takeRow(i, row)
			}
		}
	}
	for _, items := range tables {
		if b.releases {
			items.Release()
		}
	}
}

func (b *batch) takeRow(i int, row core.Row) {
	if err := b.take(i, row); err != nil {
		b.failed[i] = err
	}
}

// unreadable returns the error of the first key for which take failed, or nil.
func (b *batch) unreadable() error {
	if len(b.failed) == 0 {
		return nil
	}
	first := slices.Min(slices.Collect(maps.Keys(b.failed)))
	e := b.call.FailAt(b.keys[first].key(), b.failed[first])
	e.Table = b.keys[first].Table
	return e
}

// left returns the indexes of the keys that are still in the queue or for which take failed, in
// ascending order.
func (b *batch) left() []int {
	all := slices.Collect(maps.Keys(b.failed))
	for _, i := range b.queue {
		all = append(append(all, i), b.repeated[i]...)
	}
	slices.Sort(all)
	return all
}
