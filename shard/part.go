package shard

import (
	"fmt"
	"slices"

	"github.com/trestledb/trestle/internal/libitem"
	"github.com/trestledb/trestle/internal/op"
)

// part is a part of the value of a counter: a numbered shard, or the item of a writer.
type part struct {
	shard  int
	writer string // the ID of the writer; empty: a shard
}

// partKey returns the key of a part.
func (l *layout) partKey(c counter, p part) (op.Item, error) {
	if p.writer != "" {
		return l.countKey(c, "w#"+p.writer)
	}
	if l.keys != nil {
		return l.keys.shardKey(c.name, p.shard)
	}
	return l.countKey(c, fmt.Sprintf(shardForm, p.shard))
}

// shardsBelow returns the shards 0 to n-1.
func shardsBelow(n int) []part {
	parts := make([]part, n)
	for i := range parts {
		parts[i].shard = i
	}
	return parts
}

// writersOf returns the parts of writers.
func writersOf(ids []string) []part {
	parts := make([]part, len(ids))
	for i, id := range ids {
		parts[i].writer = id
	}
	return parts
}

// parts returns the parts that belong to the value of a counter.
func (c *Counters) parts(s *state) []part {
	if c.config.Mode == WriterOwned {
		return writersOf(s.writers)
	}
	return shardsBelow(s.max)
}

// known returns the parts that a reader reads first.
func (c *Counters) known(of counter) []part {
	known := c.cache.known(of)
	switch {
	case c.config.Mode == WriterOwned:
		return writersOf(slices.Clone(known.writers))
	case known.max == 0:
		return shardsBelow(c.config.Shards)
	default:
		return shardsBelow(known.max)
	}
}

// partValue returns the value of a part. It returns false if the part was read before a move and
// the total item after it, or the other way round. A missing part has the value 0.
func (c *Counters) partValue(s *state, p part, item op.Item) (n int64, ok bool, err error) {
	if p.writer != "" {
		// The value of a closed item was moved, and its writer removed from the total item.
		if item == nil || item[attrClosed] != nil {
			return 0, item == nil, nil
		}
		n, err = libitem.Required(item, attrValue)
		return n, true, err
	}
	n, moves, err := c.shardValue(item)
	return n, moves == s.moved[p.shard], err
}

// shardValue returns the value of a shard, and the number of its moves. A missing shard has the
// value 0.
func (c *Counters) shardValue(item op.Item) (n, moves int64, err error) {
	if item == nil {
		return 0, 0, nil
	}
	if n, err = libitem.Required(item, c.layout.value); err != nil {
		return 0, 0, err
	}
	moves, err = libitem.Optional(item, attrMoves)
	return n, moves, err
}
