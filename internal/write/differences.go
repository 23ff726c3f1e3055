package write

import (
	"maps"
	"slices"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/op"
)

// Difference is an attribute of a stored item that decoding and putting the item would change.
type Difference struct {
	Attribute string // empty: the item as a whole
	Reason    string
}

// The reasons of differences.
const (
	reasonUnreadable = "cannot be decoded"
	reasonUnwritable = "lacks a part of its key, or has a value that a put rejects"
	reasonOtherZone  = "has a time in another zone than UTC, which conditions do not compare as a time"
	reasonOtherForm  = "is stored in another form than a put would store it"
	reasonStaleKey   = "is not the key that the item's fields render to"
	reasonMissingKey = "is missing, although the item's fields render to a key"
)

// Differences lists what decoding and putting a stored item would change. Other programs and older
// types can write other forms. It ignores attributes that a put omits, and absent attributes that
// decode to their zero value. It also lists a time to live that DynamoDB ignores; expiry is that of
// the type at the current time.
func Differences(p *core.Plan, item op.Item, expiry core.Expiry) []Difference {
	var list []Difference
	if !expiry.IsZero() {
		if reason := ignoredTTL(item[p.TTL.Name], expiry); reason != "" {
			list = append(list, Difference{p.TTL.Name, reason})
			item = withTTL(p, item, expiry)
		}
	}
	at := p.NewEntity()
	if err := p.Decode(item, at); err != nil {
		return append(list, Difference{Reason: reasonUnreadable})
	}
	fresh, err := Item(p, at)
	if err != nil {
		return append(list, Difference{Reason: reasonUnwritable})
	}
	for _, name := range slices.Sorted(maps.Keys(item)) {
		if reason := difference(p, name, item[name], fresh[name]); reason != "" && !inEarlierShard(p, name, item[name], at) {
			list = append(list, Difference{name, reason})
		}
	}
	for _, a := range p.Attrs {
		if a.Rendered() && fresh[a.Name] != nil && item[a.Name] == nil {
			list = append(list, Difference{a.Name, reasonMissingKey})
		}
	}
	return list
}

// inEarlierShard reports whether a stored attribute is the key of an entity for an earlier number
// of shards.
func inEarlierShard(p *core.Plan, name string, stored types.AttributeValue, entity codec.Ptr) bool {
	a := p.KeyAttr(name)
	if a == nil || a.Shard == nil || a.Shard.Random() {
		return false
	}
	keys, err := shardedKeys(p, a, entity)
	return err == nil && slices.ContainsFunc(keys, func(av types.AttributeValue) bool { return core.SameValue(stored, av) })
}

func difference(p *core.Plan, name string, stored, fresh types.AttributeValue) string {
	key := p.KeyAttr(name)
	if key != nil && key.Field == nil { // a rendered key
		if fresh == nil || !core.SameValue(stored, fresh) {
			return reasonStaleKey
		}
		return ""
	}
	f := p.Shape.ByName(name)
	switch {
	case fresh == nil, core.SameValue(stored, fresh):
		return ""
	case f != nil && holdsAny(f.Node, map[*codec.Node]bool{}):
		// An interface keeps less than the stored value. What it loses is not another form.
		return ""
	case inAnotherZone(stored, fresh):
		return reasonOtherZone
	default:
		return reasonOtherForm
	}
}

// holdsAny reports whether a type is or contains an interface.
func holdsAny(n *codec.Node, seen map[*codec.Node]bool) bool {
	if n == nil || seen[n] {
		return false
	}
	seen[n] = true
	if n.Kind == codec.KindAny || holdsAny(n.Elem, seen) {
		return true
	}
	return n.Struct != nil && slices.ContainsFunc(n.Struct.Fields(), func(f *codec.Field) bool { return holdsAny(f.Node, seen) })
}

// inAnotherZone reports whether two values, or elements of them, are the same time in two zones.
func inAnotherZone(stored, fresh types.AttributeValue) bool {
	switch s := stored.(type) {
	case *types.AttributeValueMemberS:
		f, ok := fresh.(*types.AttributeValueMemberS)
		if !ok || s.Value == f.Value {
			return false
		}
		x, errX := time.Parse(time.RFC3339Nano, s.Value)
		y, errY := time.Parse(time.RFC3339Nano, f.Value)
		_, offset := x.Zone()
		return errX == nil && errY == nil && x.Equal(y) && offset != 0
	case *types.AttributeValueMemberL:
		f, ok := fresh.(*types.AttributeValueMemberL)
		if !ok || len(s.Value) != len(f.Value) {
			return false
		}
		for i := range s.Value {
			if inAnotherZone(s.Value[i], f.Value[i]) {
				return true
			}
		}
	case *types.AttributeValueMemberM:
		if f, ok := fresh.(*types.AttributeValueMemberM); ok {
			for name := range s.Value {
				if inAnotherZone(s.Value[name], f.Value[name]) {
					return true
				}
			}
		}
	}
	return false
}
