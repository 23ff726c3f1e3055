package shard

import (
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/libitem"
	"github.com/trestledb/trestle/internal/op"
)

// idleWriters returns a function that returns the moves of the values of writers that have not
// flushed for WriterIdle. A move closes the item of the writer. So it is harmless if the writer is
// not idle after all: its next flush finds the item closed, and stores the rest in another one.
// Items that were registered after the first call are left to the next Drain, so that Drain and a
// flush do not answer each other again and again.
func (c *Counters) idleWriters(of counter) func(*reading) ([]move, error) {
	var first []string // the writers of the first call
	return func(r *reading) (list []move, err error) {
		if first == nil {
			first = append([]string{}, r.state.writers...)
		}
		for _, p := range c.parts(&r.state) {
			if !slices.Contains(first, p.writer) {
				continue
			}
			item := *r.parts[p]
			asOf, err := timeIn(item, attrAsOf)
			if err != nil {
				return nil, err
			}
			// An item that does not exist is that of a writer that ended before its first flush.
			if item[attrClosed] != nil || item != nil && c.exec.Now().Sub(asOf) < c.config.WriterIdle {
				continue
			}
			next, err := c.fold(of, p, item)
			if err != nil {
				return nil, err
			}
			list = append(list, next)
		}
		return list, nil
	}
}

// fold returns the move of the value of a writer.
func (c *Counters) fold(of counter, p part, item op.Item) (move, error) {
	key, err := c.layout.partKey(of, p)
	if err != nil {
		return move{}, err
	}
	seq, err := libitem.Optional(item, attrSeq)
	if err != nil {
		return move{}, err
	}
	value, err := libitem.Optional(item, attrValue)
	b := libitem.NewUpdate(key)
	b.Set(attrClosed, &types.AttributeValueMemberBOOL{Value: true})
	b.Set(attrFolded, libitem.Number(value))
	b.Set(attrValue, libitem.Number(0))
	b.RequireEqual(attrSeq, seq)
	return move{value, b.Action(), func(total *libitem.Update) {
		total.Discard(attrWriters, p.writer)
	}}, err
}
