package shard

import (
	"slices"
	"strconv"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/libitem"
	"github.com/trestledb/trestle/internal/op"
)

// state is the content of a total item.
//
// The value of a counter is base, and the sum of the values of the shards 0 to max-1. Moving a part
// of the value of a shard to base is a transaction. It increments the number of moves, in the shard
// and in moved. So a reader that finds the same numbers in both has not read the shard before a
// move, and the total item after it.
type state struct {
	stored bool   // the item has the number of shards
	form   string // where the values are: see Mode.form
	shards int    // for increments
	max    int    // for readers
	epoch  int64
	base   int64
	moved  map[int]int64
	past   []former  // the newest first
	grown  time.Time // when the number was doubled last

	writers []string // the IDs of the writers whose items are parts of the value
}

// former is a number of shards that increments used until a time, in nanoseconds since 1970.
type former struct {
	shards int
	until  int64
}

// maxPast is the number of different former numbers that are kept. Only those of the last ten
// minutes are needed.
const maxPast = 16

// stateOf decodes a total item, or no item. declared is the number of shards of a counter without a
// stored number.
func stateOf(item op.Item, declared int) (s state, err error) {
	s = state{shards: declared, max: declared, moved: map[int]int64{}}
	var wrong errs.Problems
	read := func(attribute string) int64 {
		n, err := libitem.Optional(item, attribute)
		wrong.AddErr(attribute, err)
		return n
	}
	if s.stored = item[attrShards] != nil; s.stored {
		s.shards, s.max = int(read(attrShards)), int(read(attrMax))
		form, _ := item[attrForm].(*types.AttributeValueMemberS)
		if form == nil {
			wrong.AddErr("", libitem.Unreadable(attrForm, "the attribute is missing or no text"))
		} else {
			s.form = form.Value
		}
	}
	s.epoch, s.base = read(attrEpoch), read(attrBase)
	if item[attrGrown] != nil {
		s.grown = time.Unix(0, read(attrGrown))
	}
	wrong.AddErr("", s.decodeMoved(item[attrMoved]))
	wrong.AddErr("", s.decodePast(item[attrPast]))
	wrong.AddErr("", s.decodeWriters(item[attrWriters]))
	if s.shards < 1 || s.max < s.shards || s.max > maxShards {
		wrong.AddErr("", libitem.Unreadable(attrMax, "the number of shards is invalid"))
	}
	if len(wrong) > 0 {
		return state{}, &errs.ValidationError{Problems: wrong}
	}
	return s, nil
}

func (s *state) decodeMoved(av core.AV) error {
	if av == nil {
		return nil
	}
	m, ok := av.(*types.AttributeValueMemberM)
	if !ok {
		return libitem.Unreadable(attrMoved, "the attribute is no map")
	}
	for shard, moves := range m.Value {
		i, err := strconv.Atoi(shard)
		if err != nil {
			return libitem.Unreadable(attrMoved, "a key is no number of a shard")
		}
		if s.moved[i], err = libitem.Integer(attrMoved, moves); err != nil {
			return err
		}
	}
	return nil
}

func (s *state) decodePast(av core.AV) error {
	if av == nil {
		return nil
	}
	list, ok := av.(*types.AttributeValueMemberL)
	if !ok {
		return libitem.Unreadable(attrPast, "the attribute is no list")
	}
	for _, entry := range list.Value {
		m, _ := entry.(*types.AttributeValueMemberM)
		if m == nil {
			return libitem.Unreadable(attrPast, "an element is no map")
		}
		shards, err := libitem.Required(m.Value, attrShards)
		if err != nil {
			return err
		}
		until, err := libitem.Required(m.Value, attrAsOf)
		if err != nil {
			return err
		}
		s.past = append(s.past, former{int(shards), until})
	}
	return nil
}

func (s *state) decodeWriters(av core.AV) error {
	if av == nil {
		return nil
	}
	set, ok := av.(*types.AttributeValueMemberSS)
	if !ok {
		return libitem.Unreadable(attrWriters, "the attribute is no set of texts")
	}
	s.writers = slices.Sorted(slices.Values(set.Value))
	return nil
}

// pastWith returns the list of former numbers after the current one has ended. It has each number
// once, with the last time at which it ended, so that a counter that changes between a few numbers
// loses none.
func (s *state) pastWith(until int64) core.AV {
	list := []former{{s.shards, until}}
	for _, f := range s.past {
		if f.shards != s.shards {
			list = append(list, f)
		}
	}
	encoded := &types.AttributeValueMemberL{}
	for _, f := range list[:min(len(list), maxPast)] {
		encoded.Value = append(encoded.Value, &types.AttributeValueMemberM{Value: op.Item{
			attrShards: libitem.Number(int64(f.shards)), attrAsOf: libitem.Number(f.until),
		}})
	}
	return encoded
}
