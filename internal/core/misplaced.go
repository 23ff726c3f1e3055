package core

import (
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/keyspace"
	"github.com/trestledb/trestle/keys"
)

// KeyComparison compares the table's keys of stored items with the keys that their fields render
// to. It keeps its buffers, so it must not be used concurrently. The zero value is ready to use.
type KeyComparison struct {
	vals []keys.Value
	text []byte

	// The key attribute that was rendered first, and its last values. Items of a page often have
	// the same partition key.
	same     *KeyAttr
	sameVals []keys.Value
	sameText []byte
}

// Misplaced reports whether the fields of a stored item render to another table's key than the one
// that it is under. at is the address of the decoded entity. The key of an earlier number of shards
// is not another key, because every method finds it.
func (c *KeyComparison) Misplaced(p *Plan, row Row, at codec.Ptr) bool {
	return c.differs(p, p.Table.Partition, row, at) || c.differs(p, p.Table.Sort, row, at)
}

func (c *KeyComparison) differs(p *Plan, side []*KeyAttr, row Row, at codec.Ptr) bool {
	for _, a := range side {
		if a.Field != nil || a.parsesAll() {
			continue // the fields were decoded from the attribute
		}
		if !row.hasTextKey(a, at) && !c.renders(a, row, at) && !a.rendersTo(p, row.Attribute(a.Name), at) {
			return true
		}
	}
	return false
}

// parsesAll reports whether Decode sets every member of the attribute from the attribute itself.
func (a *KeyAttr) parsesAll() bool {
	for i, m := range a.Members {
		if i >= len(a.Parse) || !a.Parse[i] || m.IsDerived() {
			return false
		}
	}
	return true
}

// renders reports whether the decoded values of the members render to the stored attribute. It
// needs no conversion of the values, because they were decoded.
func (c *KeyComparison) renders(a *KeyAttr, row Row, at codec.Ptr) bool {
	c.vals = c.vals[:0]
	for _, m := range a.Members {
		v, err := m.Key(at)
		if err != nil || v.IsAbsent() {
			return false
		}
		c.vals = append(c.vals, v)
	}
	if a == c.same && slices.EqualFunc(c.vals, c.sameVals, keys.Value.Equal) {
		return row.holds(a.Name, c.sameText)
	}
	var err error
	if c.text, err = a.Template.Append(c.text[:0], c.vals); err != nil {
		return false
	}
	if c.same == nil || a == c.same {
		c.same, c.sameVals, c.sameText = a, append(c.sameVals[:0], c.vals...), append(c.sameText[:0], c.text...)
	}
	return row.holds(a.Name, c.text)
}

// rendersTo reports whether a write of the entity would store the attribute under any number of
// shards.
func (a *KeyAttr) rendersTo(p *Plan, stored types.AttributeValue, at codec.Ptr) bool {
	vals, ok := a.Values(p, at, nil)
	if !ok {
		return false
	}
	if a.sameText(stored, vals) {
		return true
	}
	if a.Shard == nil || a.Shard.Random() {
		return false
	}
	for _, count := range a.Shard.Counts {
		var err error
		if vals[a.Shard.At], err = a.Shard.Of(p, at, count); err == nil && a.sameText(stored, vals) {
			return true
		}
	}
	return false
}

// sameText reports whether values render to a stored attribute. Two spellings of a number are the
// same.
func (a *KeyAttr) sameText(stored types.AttributeValue, vals []keys.Value) bool {
	is, ok := KeyText(a.Type, stored)
	text, err := a.Template.Render(vals...)
	if a.Type == keys.N {
		is, text = keyspace.NumberIdentity(is), keyspace.NumberIdentity(text)
	}
	return ok && err == nil && is == text
}
