package shard

import (
	"context"
	"fmt"
	"iter"
	"time"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/keyspace"
	"github.com/trestledb/trestle/internal/libitem"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/internal/reserved"
)

// Event is an increment that is stored in mode [Events].
type Event struct {
	Key string    // of the option Once
	N   int64     // what was added
	At  time.Time // when it was stored first, by the clock of the program that stored it
}

// Events yields the increments of a counter in mode [Events], each once: by shard, and within a
// shard in the order of their keys. The reads are strongly consistent.
//
// It costs one read unit for the total item, and one for each 4 KB of each shard, at least one for
// each shard.
func (c *Counters) Events(ctx context.Context, name string) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		stopped := false
		err := c.canList(name)
		if err == nil {
			err = c.eachEvent(ctx, opEvents, c.all(name), func(item op.Item) (bool, error) {
				e, err := c.event(item)
				if err == nil {
					stopped = !yield(e, nil)
				}
				return !stopped, err
			})
		}
		if err != nil && !stopped {
			yield(Event{}, err)
		}
	}
}

// canList reports why there are no events to list.
func (c *Counters) canList(name string) error {
	if err := c.ready(opEvents, name); err != nil {
		return err
	}
	if c.config.Mode != Events {
		return c.failed(opEvents, errs.New("", "only mode Events stores events", "use mode Events"))
	}
	return nil
}

// eachEvent calls take with the items of the events of counters, until it returns false or an
// error.
func (c *Counters) eachEvent(ctx context.Context, operation string, list []counter, take func(op.Item) (bool, error)) error {
	var partitions []string
	for _, of := range list {
		s, err := c.readState(ctx, operation, of, true)
		if err != nil {
			return err
		}
		for i := range s.shards {
			partitions = append(partitions, c.layout.eventPartition(of, i))
		}
	}
	return c.query(ctx, operation, partitions, take)
}

// event decodes the item of an event.
func (c *Counters) event(item op.Item) (e Event, err error) {
	var ok bool
	if e.Key, ok = unescaped(c.layout.sortText(item)); !ok {
		return Event{}, libitem.Unreadable(c.schema.Sort.Name, "the key is not that of an event")
	}
	if e.N, err = libitem.Required(item, attrValue); err != nil {
		return Event{}, err
	}
	e.At, err = timeIn(item, attrAt)
	return e, err
}

func unescaped(text string, ok bool) (string, bool) {
	if !ok {
		return "", false
	}
	return keyspace.Unescape(text)
}

// eventPartition returns the partition key of a shard of events.
func (l *layout) eventPartition(of counter, i int) string {
	return l.partition(l.ownEventPartition(of, i))
}

// ownEventPartition is eventPartition without the tenant.
func (l *layout) ownEventPartition(of counter, i int) string {
	return reserved.EventPartition(l.family, of.name, of.in(fmt.Sprintf(shardForm, i)))
}

// maxSortKey is the maximum length of a sort key in bytes.
const maxSortKey = 1024

// eventKey returns the key of an event.
func (l *layout) eventKey(of counter, i int, key string) (op.Item, error) {
	return l.reserved(l.ownEventPartition(of, i), keyspace.Escaped.Segment(key), "")
}

// sendEvent stores the event. An event with the same key and number means that the increment was
// applied before. The shard of a key never changes.
func (a *addition) sendEvent(ctx context.Context, shards int) (op.Reply, result, error) {
	key, err := a.layout.eventKey(a.of, a.option.shard(shards), a.option.key)
	if err != nil {
		return op.Reply{}, ended, a.failed(opAdd, err)
	}
	put := a.putNew(key, reserved.EventType, op.Item{attrValue: libitem.Number(a.n), attrAt: libitem.Number(a.exec.Now().UnixNano())})
	put.Idempotent = true // a repetition fails, and finds the event
	reply, err := a.do(ctx, opAdd, []op.Action{put})
	if unmet, failed := unmetConditions(err, 1); failed {
		return reply, ended, a.compare(err, unmet[0].item)
	}
	if trestle.OutcomeOf(err) == trestle.Unknown {
		return reply, ended, a.resolve(ctx, key, err)
	}
	return reply, ended, err
}

// sumEvents returns the sum of the events of counters.
func (c *Counters) sumEvents(ctx context.Context, operation string, list []counter) (total int64, err error) {
	err = c.eachEvent(ctx, operation, list, func(item op.Item) (bool, error) {
		n, err := libitem.Required(item, attrValue)
		if err == nil {
			total, err = sum(total, n)
		}
		return err == nil, err
	})
	return total, err
}
