package core

import (
	"fmt"
	"slices"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/spread"
	"github.com/trestledb/trestle/keys"
)

// Sharding splits the items of a partition key into shards, each in a partition of its own.
type Sharding struct {
	// Counts are the numbers of shards that items were stored with. New items use the last one.
	Counts []int
	At     int // the index of the shard's placeholder in the template
	// From are the members of the table's key that the shard is computed from. It is empty if the
	// shard is random.
	From []KeyMember
}

// KeyMember is a placeholder of a key attribute.
type KeyMember struct {
	Attr *KeyAttr
	At   int
}

// MaxShards is the maximum number of shards.
const MaxShards = 1000

// Shards returns how many shards can hold items.
func (s *Sharding) Shards() int { return slices.Max(s.Counts) }

// Current returns the number of shards of new items.
func (s *Sharding) Current() int { return s.Counts[len(s.Counts)-1] }

// Random reports whether the shard is random instead of computed.
func (s *Sharding) Random() bool { return len(s.From) == 0 }

// IsShard reports whether member i is the shard of the attribute.
func (a *KeyAttr) IsShard(i int) bool { return a.Shard != nil && a.Shard.At == i }

// Holds reports whether the template of the attribute determines the text of m: it holds the same
// field, wholly or in the same format.
func (a *KeyAttr) Holds(m KeyMember) bool {
	for i, f := range a.Members {
		if f == m.Attr.Members[m.At] && (a.Template.Lossless(i) || a.Template.Format(i) == m.Attr.Template.Format(m.At)) {
			return true
		}
	}
	return false
}

// Of returns the shard of an entity, computed for one of the counts. It returns an absent value if
// a field that the shard is computed from is absent.
func (s *Sharding) Of(p *Plan, entity codec.Ptr, count int) (keys.Value, error) {
	var few [4]string
	texts := few[:0]
	for _, m := range s.From {
		v, err := p.Value(m.Attr.Members[m.At], entity)
		if err != nil || v.IsAbsent() {
			return keys.Value{}, err
		}
		text, err := m.Attr.Template.Segment(m.At, v)
		if err != nil {
			return keys.Value{}, err
		}
		texts = append(texts, text)
	}
	return keys.Int(int64(spread.Of(texts...) % uint64(count))), nil //nolint:gosec // less than count
}

// checkShard reports a random shard that queries do not read.
func (p *Plan) checkShard(v keys.Value) error {
	a := p.Table.Sharded()
	if v.IsAbsent() || a == nil || v.Int() >= 0 && v.Int() < int64(a.Shard.Shards()) {
		return nil
	}
	return errs.New(p.Shard.Name, fmt.Sprintf("the shard is not one of 0 to %d, which queries read", a.Shard.Shards()-1),
		"leave "+p.Shard.GoName+" nil, so that a write chooses the shard; keep earlier numbers of shards, as in shards:\"32,16\"")
}

// Moved reports whether items of the type may be under the key of an earlier number of shards.
func (p *Plan) Moved() bool {
	a := p.Table.Sharded()
	return a != nil && !a.Shard.Random() && len(a.Shard.Counts) > 1
}

// Sharded returns the attribute of the partition key that has a shard, or nil.
func (k Key) Sharded() *KeyAttr {
	for _, a := range k.Partition {
		if a.Shard != nil {
			return a
		}
	}
	return nil
}
