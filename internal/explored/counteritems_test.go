package explored_test

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/shard"
)

// storedCounter is what the table has of the counter. It is decoded here, and not by package shard.
type storedCounter struct {
	mode    shard.Mode
	shards  int64 // for increments
	max     int64 // for readers
	base    int64
	rolled  int64 // the last roll-up
	asOf    int64 // its time
	moved   map[string]types.AttributeValue
	writers []string
	parts   map[string]map[string]types.AttributeValue // shards and items of Writers
	marked  int64                                      // the sum of the markers
	events  int64                                      // the sum of the events
}

const counterPrefix = "#votes#a#" // of the keys, after the type

// readCounter decodes the items of the counter.
func readCounter(db *ddbtest.DB, mode shard.Mode) *storedCounter {
	s := &storedCounter{mode: mode, shards: 1, max: 1, parts: map[string]map[string]types.AttributeValue{}}
	for _, item := range db.Dump(tableName) {
		kind, part, _ := strings.Cut(item["PK"].(*types.AttributeValueMemberS).Value, counterPrefix)
		switch {
		case kind == "$U#mark":
			s.marked += integer(item["n"])
		case kind == "$U#event":
			s.events += integer(item["n"])
		case part != "total":
			s.parts[part] = item
		default:
			s.total(item)
		}
	}
	return s
}

// total decodes the total item.
func (s *storedCounter) total(item map[string]types.AttributeValue) {
	s.base, s.rolled, s.asOf = integer(item["base"]), integer(item["total"]), integer(item["asof"])
	if item["max"] != nil {
		s.shards, s.max = integer(item["shards"]), integer(item["max"])
	}
	if m, ok := item["moved"].(*types.AttributeValueMemberM); ok {
		s.moved = m.Value
	}
	if set, ok := item["writers"].(*types.AttributeValueMemberSS); ok {
		s.writers = set.Value
	}
}

// integer returns a number; 0 if there is none.
func integer(av types.AttributeValue) int64 {
	n, ok := av.(*types.AttributeValueMemberN)
	if !ok {
		return 0
	}
	i, err := strconv.ParseInt(n.Value, 10, 64)
	if err != nil {
		panic(err)
	}
	return i
}

// read returns the parts that readers read.
func (s *storedCounter) read() map[string]bool {
	list := map[string]bool{}
	if s.mode == shard.WriterOwned {
		for _, id := range s.writers {
			list["w#"+id] = true
		}
		return list
	}
	for i := range s.max {
		list[fmt.Sprintf("%03d", i)] = true
	}
	return list
}

// value returns the value of the counter.
func (s *storedCounter) value() int64 {
	if s.mode == shard.Events {
		return s.events
	}
	value := s.base
	for part := range s.read() {
		value += integer(s.parts[part]["n"])
	}
	return value
}

// check checks what holds at each moment: no value is where readers do not find it or increments
// can add one, none is moved twice, increments find an open shard, and both ends of each move have the same number.
func (s *storedCounter) check() error {
	if s.shards > s.max {
		return fmt.Errorf("increments use %d shards, and readers %d", s.shards, s.max)
	}
	read := s.read()
	for part, item := range s.parts {
		open := item["closed"] == nil
		if s.mode == shard.WriterOwned {
			if open != read[part] {
				return fmt.Errorf("the item of a Writer: open %t, read %t", open, read[part])
			}
			continue
		}
		number, err := strconv.ParseInt(part, 10, 64)
		switch {
		case err != nil:
			return err
		case !read[part] && (integer(item["n"]) != 0 || open):
			return fmt.Errorf("no reader reads %s", part)
		case integer(item["n"]) < 0:
			return fmt.Errorf("%s has %d after increments that are not negative", part, integer(item["n"]))
		case number < s.shards && !open:
			return fmt.Errorf("increments use %s, which is closed", part)
		case integer(item["moves"]) != integer(s.moved[strconv.FormatInt(number, 10)]):
			return fmt.Errorf("the total item has another number of moves of %s", part)
		}
	}
	if s.mode == shard.ExactForever && s.value() != s.marked {
		return fmt.Errorf("the value is %d, and the sum of the markers %d", s.value(), s.marked)
	}
	return nil
}
