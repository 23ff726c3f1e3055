package shard

import (
	"context"
	"iter"
	"slices"

	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/keyspace"
	"github.com/trestledb/trestle/internal/libitem"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/internal/reserved"
	"github.com/trestledb/trestle/internal/spread"
)

// buckets is the number of partitions of the list of names.
const buckets = 16

var errNoNames = errs.New("", "the names of the counters are not known", "set Listed or Names of the Config")

// Names yields the names of the counters of the family, in no order: those of the list (Listed), or
// Names of the [Config]. A name is in the list before its first increment by [Counters.Add].
//
// The list has 16 partitions. Names reads them, strongly consistent: it costs at least 16 read
// units, and one for each 4 KB of names.
func (c *Counters) Names(ctx context.Context) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		stopped := false
		err := c.eachName(ctx, opNames, func(name string) (more bool, err error) {
			stopped = !yield(name, nil)
			return !stopped, nil
		})
		if err != nil && !stopped {
			yield("", err)
		}
	}
}

// eachName calls take with each name, until it returns false or an error.
func (c *Counters) eachName(ctx context.Context, operation string, take func(string) (bool, error)) error {
	if err := c.ready(operation); err != nil {
		return err
	}
	switch {
	case len(c.config.Names) > 0:
		for _, name := range c.config.Names {
			if more, err := take(name); err != nil || !more {
				return c.failed(operation, err)
			}
		}
		return nil
	case !c.config.Listed:
		return c.failed(operation, errNoNames)
	}
	var partitions []string
	for i := range buckets {
		partitions = append(partitions, c.layout.partition(reserved.NamesPartition(c.family, i)))
	}
	return c.query(ctx, operation, partitions, func(item op.Item) (bool, error) {
		name, ok := unescaped(c.layout.sortText(item))
		if !ok {
			return false, libitem.Unreadable(c.schema.Sort.Name, "the key is no name of a counter")
		}
		return take(name)
	})
}

// allNames returns all names, each once.
func (c *Counters) allNames(ctx context.Context, operation string) (names []string, err error) {
	err = c.eachName(ctx, operation, func(name string) (bool, error) {
		names = append(names, name)
		return true, nil
	})
	slices.Sort(names)
	return slices.Compact(names), err
}

// List puts names into the list of names, for counters that are incremented by [Counters.Op] only.
// It costs 1 write unit for each name that this value has not put before.
func (c *Counters) List(ctx context.Context, names ...string) error {
	if err := c.ready(opList, names...); err != nil {
		return err
	}
	if !c.config.Listed {
		return c.failed(opList, errNoNames)
	}
	for _, name := range names {
		if err := c.list(ctx, opList, c.own(name)); err != nil {
			return err
		}
	}
	return nil
}

// list puts the name of a counter into the list of names, unless this value has done so.
func (c *Counters) list(ctx context.Context, operation string, of counter) error {
	if !c.config.Listed || c.cache.known(of).listed {
		return nil
	}
	key := c.nameKey(of.name)
	item := c.schema.OwnItem(reserved.NamesType, key, nil)
	_, err := c.do(ctx, operation, []op.Action{{Verb: op.Put, Key: key, Item: op.NewContent(item), Idempotent: true}})
	if err == nil {
		c.cache.change(of, func(e *cached) { e.listed = true })
	}
	return err
}

// nameKey returns the key of a name in the list.
func (c *Counters) nameKey(name string) op.Item {
	partition := reserved.NamesPartition(c.family, int(spread.Of(name)%buckets))
	return c.schema.ReservedKey(c.layout.tenant, partition, keyspace.Escaped.Segment(name), "")
}
